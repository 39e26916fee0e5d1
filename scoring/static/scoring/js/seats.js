/* A new match: recent players fill the first empty seat, and names change seats by an
   arrow or by dragging their number. Without this file the names are typed in order. */

function begin() {
  const form = document.querySelector("[data-new-match]");
  if (form) start(form);
}
document.addEventListener("tricky:drawn", begin);

function start(form) {
  const seats = [...form.querySelectorAll(".seats li")];
  const inputs = seats.map((seat) => seat.querySelector("input"));
  const chips = form.querySelector("[data-recent]");

  function move(from, to) {
    const names = inputs.map((input) => input.value);
    names.splice(to, 0, ...names.splice(from, 1));
    names.forEach((name, index) => (inputs[index].value = name));
    draw();
  }

  /* As many seats as the game needs, and one more while the table is not full. */
  function draw() {
    const game = form.querySelector("[name=game]:checked");
    const least = Number(game?.dataset.least ?? 4);
    const most = Number(game?.dataset.most ?? inputs.length);
    const last = inputs.findLastIndex((input) => input.value);
    const shown = Math.max(last + 1, Math.min(most, Math.max(least, last + 2)));
    seats.forEach((seat, index) => {
      seat.hidden = index >= shown;
      seat.querySelector("[data-up]").hidden = index === 0;
      seat.querySelector("[data-down]").hidden = index >= shown - 1;
    });
    for (const chip of chips?.children ?? []) {
      chip.setAttribute("aria-pressed", inputs.some((input) => input.value === chip.dataset.player));
    }
    for (const option of form.querySelectorAll("[data-games]")) {
      option.hidden = Boolean(game) && !option.dataset.games.split(" ").includes(game.value);
    }
  }

  seats.forEach((seat, index) => {
    seat.querySelector("[data-up]").addEventListener("click", () => move(index, index - 1));
    seat.querySelector("[data-down]").addEventListener("click", () => move(index, index + 1));
    const handle = seat.querySelector("label");
    let at = index;
    handle.addEventListener("pointerdown", (event) => {
      at = index;
      handle.setPointerCapture(event.pointerId);
      seats[at].classList.add("moving");
    });
    handle.addEventListener("pointermove", (event) => {
      if (!handle.hasPointerCapture(event.pointerId)) return;
      const over = seats.findIndex((other) => {
        const box = other.getBoundingClientRect();
        return !other.hidden && event.clientY >= box.top && event.clientY < box.bottom;
      });
      if (over < 0 || over === at) return;
      seats[at].classList.remove("moving");
      move(at, over);
      at = over;
      seats[at].classList.add("moving");
    });
    handle.addEventListener("lostpointercapture", () => seats[at].classList.remove("moving"));
  });

  if (chips) {
    chips.hidden = false;
    chips.addEventListener("click", (event) => {
      const name = event.target.dataset.player;
      const taken = inputs.findIndex((input) => input.value === name);
      const empty = inputs.findIndex((input) => !input.value);
      if (!name) return;
      if (taken >= 0) {
        inputs[taken].value = "";
        move(taken, inputs.length - 1);
      } else if (empty >= 0) inputs[empty].value = name;
      draw();
    });
  }
  form.addEventListener("input", draw);
  draw();
}

begin();
