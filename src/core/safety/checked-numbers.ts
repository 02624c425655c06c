/** A card in groups of any common kind: dots, dashes or spaces. */
export const cardPattern = new RegExp(
  '(?<![\\d.-])[2-6]\\d{3}(?:[ .-]?\\d{4}){2}[ .-]?\\d{1,7}(?![\\d-])|' +
    '(?<![\\d.])3[47]\\d{2}[ .-]?\\d{6}[ .-]?\\d{5}(?!\\d)',
  'g',
);

/** How many digits the cards of each network have, by their first digits (ISO/IEC 7812). */
const cardLengths =
  /^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3(?:0|6|8|9)\d{12}|35\d{14}|(?:50|5[6-9]|6\d)\d{10,17})$/;

/** Whether the number has the length of a card number and a valid Luhn check digit. */
export function isCardNumber(number: string): boolean {
  const digits = number.replace(/\D/g, '');
  if (!cardLengths.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

const ibanPattern =
  /(?<!\w)[A-Z]{2}\d\d([ .-]?)[A-Z\d]{4}(?:\1[A-Z\d]{4}){1,6}(?:\1[A-Z\d]{1,3})?(?!\w)/gi;
/** That of Norway is the shortest. */
const ibanMinChars = 15;

/** Replaces each IBAN. A word right behind one may look like its last group. */
export function replaceIbans(text: string, replace: (iban: string) => string): string {
  return text.replace(ibanPattern, (match, gap: string) => {
    const groups = gap === '' ? [match] : match.split(gap);
    for (let count = groups.length; count > 0; count -= 1) {
      const iban = groups.slice(0, count).join(gap);
      if (isIban(iban)) return replace(iban) + match.slice(iban.length);
    }
    return match;
  });
}

/** By its remainder of 97 (ISO 13616): letters count as 10 to 35, and the first four come last. */
function isIban(text: string): boolean {
  const iban = text.replace(/[ .-]/g, '');
  if (iban.length < ibanMinChars) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[a-z]/gi, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

const ssnArea = '(?!000|666|9)\\d{3}';
const ssnGroup = '(?!00)\\d\\d';
const ssnSerial = '(?!0000)\\d{4}';
const isAfterSsnName = '(?<=(?<!\\w)(?:ssn|social security)[^\\n\\d]{0,30}\\d{3} ?\\d\\d ?)';

/**
 * With dashes, or in any form after 'SSN' or 'social security'; area 000, 666 and 9xx are never
 * issued.
 */
export const ssnPattern = new RegExp(
  `(?<![\\d.-])${ssnArea}(?:-${ssnGroup}-|( ?)${ssnGroup}\\1${isAfterSsnName})` +
    `${ssnSerial}(?![\\d-])`,
  'gi',
);
