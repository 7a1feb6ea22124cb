// What htmx leaves to the page: keep the keyboard's place, say when the server cannot be reached, close the switcher.
// Everything works without it, as everything works without htmx.

document.addEventListener("htmx:afterSettle", () => {
  // What had the focus may be gone with the list that held it: stay at the list, not at the top of the page.
  if (document.activeElement === document.body) document.getElementById("list")?.focus({ preventScroll: true });
  complain("");
});

for (const failure of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, () => complain("The server cannot be reached, so the list below is the old one. Try again in a moment."));
}
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.getResponseHeader("HX-Redirect")) return; // the error page is on its way
  complain(`The server refused this (${event.detail.xhr.status}), so the list below is the old one.`);
});

function complain(words) {
  const place = document.getElementById("list-problem");
  if (!place) return;
  place.textContent = words;
  place.hidden = !words;
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
