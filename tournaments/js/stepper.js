/* Buttons that step a number up and down. */

/* A change makes the proposals outdated, so that they have to be requested again. */
function discardProposals() {
  document.querySelector(".proposals")?.setAttribute("hidden", "");
  document.querySelector(".wizard-form > button")?.classList.add("primary");
}

for (const stepper of document.querySelectorAll(".stepper")) {
  const field = /** @type {HTMLInputElement} */ (stepper.querySelector("input"));
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (stepper.querySelectorAll("[data-step]"));
  for (const button of buttons) {
    button.hidden = false;
    button.addEventListener("click", () => {
      if (button.dataset.step === "1") field.stepUp();
      else field.stepDown();
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }
}
document.querySelector(".wizard-form")?.addEventListener("input", discardProposals);
