// Taps on the states of rooms in a list. Each says at its row that it is under way, is sent once, and can be sent again if it
// failed. Several rows may be under way at the same time.

const TAPPED = "form.tap";
const tapOf = (button) => `${button.name}=${button.value}`;

// While a tap is under way, the same one is not sent again. Another one in its row follows it.
document.addEventListener("click", (event) => {
  const button = event.target.closest(`${TAPPED} button[name]`);
  if (!button) return;
  const form = button.form;
  if (form.dataset.tapped === tapOf(button)) {
    event.preventDefault();
    return;
  }
  form.dataset.tapped = tapOf(button);
  button.closest("[popover]")?.hidePopover();
  form.setAttribute("aria-busy", "true");
  const place = form.querySelector("[data-outcome]");
  place.setAttribute("role", "status");
  place.textContent = "Saving …";
}, true);

// The user may have logged in again in another window, which gives the browser another token.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  const token = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1];
  if (detail.elt.matches(TAPPED) && token) detail.parameters.csrfmiddlewaretoken = token;
});

document.addEventListener("htmx:afterRequest", ({ detail }) => {
  const { elt: form, xhr, requestConfig } = detail;
  const button = requestConfig.triggeringEvent?.submitter;
  if (!form.matches(TAPPED) || !button || form.dataset.tapped !== tapOf(button)) return; // or another tap follows
  delete form.dataset.tapped;
  form.removeAttribute("aria-busy");
  queueMicrotask(() => { // after portal.js has written what is wrong, unless the server says it
    const failed = form.querySelector("[role=alert]");
    if (failed && ![400, 404].includes(xhr.status) && !(button.isConnected && button.matches(".undo"))) sendAgain(form, button);
  });
});

// It has the place of the large button, where the thumb is; in other lists, it follows the words.
function sendAgain(form, button) {
  form.querySelector("[data-again]")?.remove();
  const again = document.createElement("button");
  const large = form.querySelector(".others") && form.querySelector(".next");
  Object.assign(again, { className: large ? "status next" : "undo", name: button.name, value: button.value, textContent: "Send again" });
  again.dataset.again = "";
  if (large) {
    large.hidden = true;
    large.after(again);
  } else form.querySelector("[data-outcome]").append(" ", again);
}
