const pressable = 'button, a, summary, label, input, select, textarea, [role="option"]';

/** What the first click of a series pressed. */
let pressed: Element | null = null;

/**
 * Lets the second click of a double click press only what the first one pressed: what the first one
 * brought to that place is not what a person aimed at.
 */
export function ignoreStrayClicks(): void {
  addEventListener('mousedown', holdStray, { capture: true }); // it would move the focus
  addEventListener('click', holdStray, { capture: true });
}

/** `detail` counts the clicks of a series; it is 0 for those of the keyboard. */
function holdStray(event: MouseEvent): void {
  const under = pressedBy(event.target);
  if (event.detail <= 1) {
    if (event.type === 'click') pressed = under;
    return;
  }
  if (under === null || under === pressed) return;
  event.preventDefault();
  event.stopPropagation();
}

function pressedBy(target: EventTarget | null): Element | null {
  const under = target instanceof Element ? target.closest(pressable) : null;
  return under instanceof HTMLLabelElement ? under.control : under;
}
