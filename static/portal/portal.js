// Keep the focus and the open filters when htmx swaps a list, show lists that say what was wrong, report failed requests,
// close the open menu, and mend the frame's icons. All pages also work without this script.

let before = { unfolded: false, focused: "" };
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr } = event.detail;
  if (xhr.status === 400 && xhr.getResponseHeader("HX-Push-Url")) { // a list, with what is wrong beside the fields
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
  before = { unfolded: document.querySelector(".fold")?.open, focused: document.activeElement?.id };
});
document.addEventListener("htmx:afterSwap", () => {
  const fold = document.querySelector(".fold");
  if (!fold || !before.unfolded) return;
  fold.open = true;
  // htmx cannot focus an element that is folded away.
  if (document.activeElement === document.body) document.getElementById(before.focused)?.focus({ preventScroll: true });
});

document.addEventListener("htmx:afterSettle", () => {
  // If the swap removed the focused element, stay at the list, not at the top of the page.
  if (document.activeElement === document.body) document.getElementById("list")?.focus({ preventScroll: true });
  report("");
});

for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, () => report("The server cannot be reached. The list has not changed. Try again in a moment."));
}
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.getResponseHeader("HX-Redirect")) return; // htmx opens the error page
  report(`The server answered with an error (${event.detail.xhr.status}). The list has not changed.`);
});

function report(text) {
  const problem = document.getElementById("list-problem");
  if (!problem) return;
  problem.textContent = text;
  problem.hidden = !text;
}

const MENUS = "details.switcher[open], #nav-sidebar details[open]";
document.addEventListener("click", (event) => {
  const open = document.querySelector(MENUS);
  if (open && !open.contains(event.target)) open.open = false;
});
document.addEventListener("keydown", (event) => {
  const open = document.querySelector(MENUS);
  if (event.key !== "Escape" || !open) return;
  open.open = false;
  open.querySelector("summary").focus();
});

// Unfold writes icons as words in a font, and the toggles of its sidebar as spans. Screen readers skip these icons.
document.addEventListener("DOMContentLoaded", () => {
  for (const icon of document.querySelectorAll(".material-symbols-outlined")) {
    if (!icon.hasAttribute("x-on:click")) {
      icon.setAttribute("aria-hidden", "true");
      continue;
    }
    icon.setAttribute("role", "button");
    icon.setAttribute("aria-label", "Open or close the sidebar");
    icon.tabIndex = 0;
  }
});
document.addEventListener("keydown", (event) => {
  if (!["Enter", " "].includes(event.key) || !event.target.matches(".material-symbols-outlined[role=button]")) return;
  event.preventDefault();
  event.target.click();
});
