document.documentElement.classList.add("js");
addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".filters");
  const runs = Array.from(document.querySelectorAll(".run"));
  if (!form) return;
  const shown = form.querySelector("output");
  const nothing = document.getElementById("nothing");
  const texts = new Map();
  const text = (run) => {
    if (!texts.has(run)) texts.set(run, run.textContent.toLowerCase());
    return texts.get(run);
  };
  const has = (list, one) => one === "" || list.split("\n").includes(one);
  const apply = () => {
    const words = form.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let n = 0;
    for (const run of runs) {
      const fits = has(run.dataset.decision, form.decision.value) && has(run.dataset.kinds, form.kind.value) &&
        has(run.dataset.tools, form.tool.value) && words.every((w) => text(run).includes(w));
      run.hidden = !fits;
      if (fits) n++;
    }
    shown.value = n + " of " + runs.length + " shown";
    nothing.hidden = n > 0;
  };
  let waiting = 0;
  form.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 100);
  });
  form.addEventListener("submit", (e) => e.preventDefault());
  addEventListener("keydown", (e) => {
    if (e.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
      e.preventDefault();
      form.search.focus();
    }
  });
  apply();
});
let closed = [];
addEventListener("beforeprint", () => {
  closed = Array.from(document.querySelectorAll("details:not([open])"));
  for (const d of closed) d.open = true;
});
addEventListener("afterprint", () => {
  for (const d of closed) d.open = false;
});
