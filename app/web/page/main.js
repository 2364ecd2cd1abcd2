// Which part of the address shows what.

import { Problem } from "./api.js";
import { button, hideProblem, showProblem } from "./dom.js";
import { showProject } from "./project.js";
import { showProjects } from "./projects.js";

const view = document.getElementById("view");
let newest = 0;

async function show() {
  const mine = ++newest;
  const [, projectId, tab] = location.hash.split("/");
  hideProblem();
  view.setAttribute("aria-busy", "true");
  try {
    const shown = projectId
      ? await showProject(projectId, tab || "documents")
      : await showProjects();
    // Whoever went on meanwhile does not want to see this any more.
    if (mine !== newest) return;
    view.replaceChildren(...shown);
  } catch (error) {
    if (mine !== newest) return;
    view.replaceChildren(button("Try again", show));
    throw error;
  } finally {
    if (mine === newest) view.removeAttribute("aria-busy");
  }
  // Else whoever goes by keys or by ear is at the top of the page again.
  if (mine === 1) return;
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
