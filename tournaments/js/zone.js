/* Proposes the time zone of this device where nobody has written one yet. */

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('[name="time_zone"]'))) {
  const offered = [...(field.list?.options ?? [])].some((option) => option.value === here);
  if (offered && field.dataset.proposed !== undefined && field.value === field.dataset.proposed) field.value = here;
}
