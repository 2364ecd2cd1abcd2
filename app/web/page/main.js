// Which part of the address shows what.

import { Problem } from "./api.js";
import { button, el, hideProblem, showProblem } from "./dom.js";
import { showProject } from "./project.js";
import { showProjects } from "./projects.js";

const view = document.getElementById("view");
// Ends what was begun for what is shown.
let shownUntil = null;

async function show() {
  const isFirst = shownUntil === null;
  shownUntil?.abort();
  shownUntil = new AbortController();
  const { signal } = shownUntil;
  const [, projectId, tab] = location.hash.split("/");
  hideProblem();
  view.setAttribute("aria-busy", "true");
  try {
    const shown = projectId
      ? await showProject(projectId, tab, signal)
      : await showProjects();
    // Whoever went on meanwhile does not want to see this any more.
    if (signal.aborted) return;
    view.replaceChildren(...shown);
  } catch (error) {
    if (signal.aborted) return;
    document.title = "Seedbed";
    const away = projectId ? el("a", { href: "#/" }, "All projects") : "";
    view.replaceChildren(el("div", { className: "bar" }, button("Try again", show), away));
    throw error;
  } finally {
    if (!signal.aborted) {
      view.removeAttribute("aria-busy");
      // Read out when it gets the focus.
      view.setAttribute("aria-label", document.title);
    }
  }
  // Else whoever goes by keys or by ear is at the top of the page again.
  if (isFirst) return;
  scrollTo(0, 0);
  view.focus({ preventScroll: true });
}

addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  // What the service refuses is no fault of the page, which the console would keep.
  if (event.reason instanceof Problem) event.preventDefault();
  showProblem(event.reason);
});
show();
