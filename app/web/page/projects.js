// The list of projects, and a new one.

import { get, post } from "./api.js";
import { date, details, el, field, form, moreButton, searchForm, select } from "./dom.js";

const LANGUAGES = [
  "english",
  "dutch",
  "french",
  "german",
  "italian",
  "portuguese",
  "spanish",
  "other",
];

export async function showProjects() {
  document.title = "Seedbed";
  // Of who comes back to a search.
  const name = history.state?.name ?? "";
  const list = el("ul", { className: "projects" });
  const more = el("div");
  const found = await get("projects", { name });
  show(found, list, more, { name });
  const isLong = name || found.next_page_token;
  const isNone = !isLong && !found.projects.length;
  return [
    el("h1", {}, "Projects"),
    isNone
      ? el(
          "p",
          {},
          "A project is one question: a few documents of the kind you look for, and the pile to search. There is none yet.",
        )
      : "",
    newProject(isNone),
    isLong ? search(list, more, name) : "",
    isNone ? "" : list,
    more,
  ];
}

function search(list, more, before) {
  const told = el("p", { role: "status" });
  return el(
    "div",
    {},
    searchForm(
      ({ name }) => get("projects", { name }),
      (found, { name }) => {
        history.replaceState({ name }, "");
        list.replaceChildren();
        show(found, list, more, { name });
        told.textContent = name ? howMany(found) : "";
      },
      field(
        "Search by name",
        el("input", { name: "name", type: "search", maxLength: 200, value: before }),
      ),
    ),
    told,
  );
}

function howMany({ projects, next_page_token: next }) {
  if (next) return `The newest ${projects.length} projects that have this in their name:`;
  if (projects.length > 1) return `${projects.length} projects have this in their name:`;
  return projects.length ? "One project has this in its name:" : "No project has this in its name.";
}

function show({ projects, next_page_token: next }, list, more, parameters) {
  list.append(
    ...projects.map((project) =>
      el(
        "li",
        {},
        el("a", { href: `#/${project.id}`, dir: "auto" }, project.name),
        el("small", {}, `${project.language}, ${date(project.created_at)}`),
        project.description ? el("p", { dir: "auto" }, project.description) : null,
      ),
    ),
  );
  const button = moreButton("More projects", list, async () => {
    const found = await get("projects", { ...parameters, page_token: next });
    // Others may have been searched for meanwhile.
    if (button.isConnected) show(found, list, more, parameters);
  });
  more.replaceChildren(next ? button : "");
}

/** Return a choice of the language that the texts of a project are in. */
export function languageField(chosen, more = "") {
  return field(
    "Language of the texts",
    select(
      "language",
      LANGUAGES.map((one) => [one, one[0].toUpperCase() + one.slice(1)]),
      chosen,
    ),
    `Words that say little in it, such as “the”, are left out; with “Other” none is.${more}`,
  );
}

function newProject(isFirst) {
  const made = details(
    "New project",
    form(
      async ({ name, language, description }) => {
        const project = await post("projects", { name, language, description });
        location.hash = `#/${project.id}`;
      },
      field("What do you look for?", el("input", { name: "name", required: true, maxLength: 200 })),
      languageField("english"),
      field("Notes", el("textarea", { name: "description", rows: 2, maxLength: 10000 })),
      el("button", { type: "submit" }, "Create"),
    ),
  );
  made.open = isFirst;
  return made;
}
