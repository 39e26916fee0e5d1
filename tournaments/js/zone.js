/* Proposes the time zone of this device for an unchanged field. */

const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[name="time_zone"]'))) {
  const isOffered = [...(field.list?.options ?? [])].some((option) => option.value === deviceZone);
  if (isOffered && field.dataset.proposed !== undefined && field.value === field.dataset.proposed) field.value = deviceZone;
}
