/* A number and its neighbours, one tap each. What was proposed for other numbers goes, and is asked for anew. */

/* What is proposed is of the numbers that were sent. */
function ask() {
  document.querySelector(".proposed")?.setAttribute("hidden", "");
  document.querySelector(".wanted > button")?.classList.add("primary");
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
document.querySelector(".wanted")?.addEventListener("input", ask);
