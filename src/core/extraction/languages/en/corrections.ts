import { type CorrectionWords, dateSourcesOf } from '../correction-words.ts';
import { englishDates } from './dates.ts';

export const englishCorrections: CorrectionWords = {
  apologies:
    '(?:so |i.m |very )?sorry|oh|ah|oops|ups|no|nope|wait|actually|my (?:bad|mistake)|apologies',
  meant: 'i meant',
  fillers: 'on|at|by|the|same|time',
  continues: 'and|but|not',
  ordinal: 'st|nd|rd|th',
  of: 'of',
  hours: '[ap]\\.?m(?!\\p{L})\\.?|h(?!\\p{L})',
};

const { kinds, months } = dateSourcesOf([
  { calendar: englishDates.calendar, corrections: englishCorrections },
]);

/** A day, week, month or hour to which something may be moved. */
export const englishDate =
  `(?:(?:the|next|early|late|mid)[ -])*(?:${kinds.join('|')}|(?<!\\p{L})${months}(?!\\p{L})|` +
  '(?:today|tonight|tomorrow|(?:next|this) (?:week|weekend|month|year|spring|summer|fall|autumn|' +
  'winter)|\\d{1,2}(?:st|nd|rd|th)(?=[.,!]?$| (?:of|at)(?!\\p{L})))(?!\\p{Ll}))';
