const pressable = 'button, a, summary, label, input, select, textarea, [role="option"]';

/** The element that the first click of a series pressed. */
let firstTarget: Element | null = null;

/**
 * Lets the second click of a double click press only the element that the first one pressed:
 * another element may have appeared there, which the person did not aim at.
 */
export function ignoreStrayClicks(): void {
  addEventListener('mousedown', holdStray, { capture: true }); // it would move the focus
  addEventListener('click', holdStray, { capture: true });
}

/** `detail` counts the clicks of a series; it is 0 for those of the keyboard. */
function holdStray(event: MouseEvent): void {
  const element = pressedBy(event.target);
  if (event.detail <= 1) {
    if (event.type === 'click') firstTarget = element;
    return;
  }
  if (element === null || element === firstTarget) return;
  event.preventDefault();
  event.stopPropagation();
}

function pressedBy(target: EventTarget | null): Element | null {
  const element = target instanceof Element ? target.closest(pressable) : null;
  return element instanceof HTMLLabelElement ? element.control : element;
}
