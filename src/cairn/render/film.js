// The pictures of a film, one after the other on a canvas. It never starts by itself.
"use strict";
document.querySelectorAll(".film").forEach((film) => {
  const stage = film.querySelector(".stage"), canvas = stage.querySelector("canvas");
  const slider = stage.querySelector("[type=range]"), speed = stage.querySelector("select");
  const repeat = stage.querySelector("[type=checkbox]"), words = stage.querySelector("output");
  const play = stage.querySelector("[data-do=play]");
  const figures = [...film.querySelectorAll(".pictures figure")];
  const images = figures.map((figure) => figure.querySelector("img"));
  const last = figures.length - 1;
  let at = 0, timer = null;

  function show(k) {
    at = Math.min(Math.max(k, 0), last);
    const image = images[at];
    if (!image.complete) image.addEventListener("load", () => show(at), { once: true });
    else {
      if (canvas.width !== image.naturalWidth) canvas.width = image.naturalWidth;
      if (canvas.height !== image.naturalHeight) canvas.height = image.naturalHeight;
      canvas.getContext("2d").drawImage(image, 0, 0);
    }
    const caption = figures[at].querySelector("figcaption").textContent;
    slider.value = at;
    slider.setAttribute("aria-valuetext", caption);
    words.textContent = `${caption} (${at + 1} of ${last + 1})`;
    figures.forEach((figure, j) => figure.classList.toggle("shown", j === at));
  }
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }
  function start() {
    stop();
    if (at === last) show(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      if (at < last) show(at + 1);
      else if (repeat.checked) show(0);
      else stop();
    }, 1000 / speed.value);
  }
  const actions = {
    play: () => (timer === null ? start() : stop()),
    back: () => (stop(), show(at - 1)),
    on: () => (stop(), show(at + 1)),
    first: () => (stop(), show(0)),
    last: () => (stop(), show(last)),
  };
  const keys = { " ": "play", ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

  slider.max = last;
  speed.value = [1, 2, 5, 10].find((rate) => figures.length <= 10 * rate) ?? 20; // a film of ten seconds
  stage.querySelectorAll("[data-do]").forEach((button) =>
    button.addEventListener("click", () => actions[button.dataset.do]()));
  slider.addEventListener("input", () => (stop(), show(Number(slider.value))));
  speed.addEventListener("change", () => timer !== null && start());
  stage.addEventListener("keydown", (event) => {
    const action = event.target === stage && keys[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    actions[action]();
  });
  figures.forEach((figure, k) => figure.addEventListener("click", () => (stop(), show(k))));
  film.classList.add("filmed");
  stage.hidden = false;
  show(last); // what the run came to; the first is often an empty box
});
