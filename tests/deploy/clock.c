/* Shows whatever it is loaded into another time of day: ahead by as many seconds as the file
   CLOCK_AHEAD says at that moment, as eight bytes. What merely runs on (CLOCK_MONOTONIC) stays as it
   is, as it does where somebody puts the clock of a machine; the package faketime (0.9.10) breaks
   sleeps that go by it. */

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *ahead;

__attribute__((constructor)) static void find_file(void) {
  const char *path = getenv("CLOCK_AHEAD");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *found = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (found != MAP_FAILED) ahead = found;
}

int clock_gettime(clockid_t which, struct timespec *moment) {
  int result = (int)syscall(SYS_clock_gettime, which, moment);
  if (!result && ahead && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
    moment->tv_sec += *ahead;
  return result;
}

int gettimeofday(struct timeval *restrict moment, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  moment->tv_sec = now.tv_sec;
  moment->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *moment) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (moment) *moment = now.tv_sec;
  return now.tv_sec;
}
