import { expect, it } from 'vitest';
import { redactSecrets } from '../../src/core/safety/secrets.ts';
import { type Half, type LabelledText, readLabelledTexts, sharesOf } from './labelled-texts.ts';

/** A secret is found if nothing of the text still holds it, and a harmless text if it changes. */
function isRedacted({ text, secret }: LabelledText): boolean {
  const redacted = redactSecrets(text).text;
  return secret === undefined ? redacted !== text : !redacted.includes(secret);
}

it.each<[Half, { found: number; wrong: number }]>([
  ['development', { found: 0.97, wrong: 0.03 }],
  ['acceptance', { found: 0.93, wrong: 0.085 }],
])('secrets of the %s set are taken out, and hardly anything else', (half, floor) => {
  const { found, wrong } = sharesOf(readLabelledTexts('secrets', half), isRedacted);

  expect(found).toBeGreaterThanOrEqual(floor.found);
  expect(wrong).toBeLessThanOrEqual(floor.wrong);
});
