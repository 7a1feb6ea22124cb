// The sliders of the cost lab: each moves a number field on a scale of powers of ten. Without this script, the numbers are typed.
for (const slider of document.querySelectorAll("[data-power-of]")) {
    const field = document.getElementById(slider.dataset.powerOf);
    const follow = () => { slider.value = Math.log10(field.value || field.placeholder); };
    slider.hidden = false;
    follow();
    field.addEventListener("input", follow);
    slider.addEventListener("input", () => {
        const power = 10 ** slider.value;
        field.value = power < 10 ? Number(power.toPrecision(2)) : Math.round(power);
    });
}
