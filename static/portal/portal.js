// Keep the focus when htmx swaps a list, report failed requests, and close the hotel switcher.
// All pages also work without this script.

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

document.addEventListener("click", (event) => {
  const open = document.querySelector("details.switcher[open]");
  if (open && !open.contains(event.target)) open.open = false;
});
document.addEventListener("keydown", (event) => {
  const open = document.querySelector("details.switcher[open]");
  if (event.key !== "Escape" || !open) return;
  open.open = false;
  open.querySelector("summary").focus();
});
