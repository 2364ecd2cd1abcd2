// The list of projects, and a new one.

import { get, post } from "./api.js";
import { date, el, field, form, moreButton, select } from "./dom.js";

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
  const list = el("ul", { className: "projects" });
  const more = el("div");
  await addPage(list, more, null);
  return [
    el("h1", {}, "Projects"),
    list.children.length
      ? list
      : el(
          "p",
          {},
          "A project is one question: a few documents of the kind you look for, and the pile to search. There is none yet.",
        ),
    more,
    newProject(),
  ];
}

async function addPage(list, more, page_token) {
  const page = await get("projects", { page_token });
  list.append(
    ...page.projects.map((project) =>
      el(
        "li",
        {},
        el("a", { href: `#/${project.id}`, dir: "auto" }, project.name),
        el("small", {}, `${project.language}, ${date(project.created_at)}`),
        project.description ? el("p", { dir: "auto" }, project.description) : null,
      ),
    ),
  );
  const next = page.next_page_token;
  more.replaceChildren(
    next ? moreButton("More projects", list, () => addPage(list, more, next)) : "",
  );
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

function newProject() {
  return form(
    async ({ name, language, description }) => {
      const project = await post("projects", { name, language, description });
      location.hash = `#/${project.id}`;
    },
    el("h2", {}, "New project"),
    field("What do you look for?", el("input", { name: "name", required: true, maxLength: 200 })),
    languageField("english"),
    field("Notes", el("textarea", { name: "description", rows: 2, maxLength: 10000 })),
    el("button", { type: "submit" }, "Create"),
  );
}
