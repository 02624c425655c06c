import type { ChangeWords } from '../change-words.ts';

export const englishChanges: ChangeWords = {
  ended:
    "stopp|quit|no longer |no more |not .{0,40}any ?more |n['’]t .{0,40}any ?more |went off |goodbye |cancel|ended |finished |gave up|given up|dropped |ditched |done with",
  died: 'died |dead |passed away|buried |put to sleep',
  sold: 'sold |selling |gave .{0,20}away|given away|gave it |got rid|threw out|binned|scrapped',
  moved: 'moved |moving |left ',
  rehomed: 'moved (?:to|from|into|out|over|house|back|away|here)|moving to|relocat',
  changed: 'switch|swap|chang|replac|instead |traded ',
  now: 'now |nowadays|these days|from now on|since ',
  again: 'back on|back to|again |resum',
  parted: 'broke up|split up|divorc|separat',
  other:
    'my (?:brother|sister|mother|father|mum|dad|cousin|friend|neighbou?r|colleague|boss|aunt|uncle|son|daughter|flatmate)',
  once: 'today |tonight |yesterday |last night|this (?:week|morning|time|tuesday|monday)|for once|just this',
  also: 'also |too |as well|besides ',
  likes:
    'love|(?<!would )like |likes |liked |liking |enjoy|ador|fond of|fan of|keen on|favou?rite|prefer',
  dislikes:
    "hate|dislik|detest|loath|despis|ca(?:n['’]t|nnot) (?:stand|bear)|no fan|sick of|fed up|not .{0,12}(?:fan|fond|keen|like|love|enjoy)|(?:go|gone|going|went) .{0,8}off |(?:do|does|did)n['’]t .{0,12}(?:like|love|enjoy|care for)|used to (?:like|love|enjoy)|(?:never|no longer|stopped) .{0,8}(?:lik|lov|enjoy)",
  not: "never |not |no |(?:do|does|did|can|wo)n['’]t ",
  lives: 'live[sd]? |living in|based in',
  works: 'work|job |teach|employ',
  has: "has |have |['’]ve |owns? |got ",
  uses: 'use[sd]? |using ',
  plans: 'fly|flight|trip |travel|holiday|journey|appointment|booked|wedding',
  revised:
    'actually |turns out|turned out|misremember|mistaken|upgraded|revised|in fact|postpon|resched|pushed (?:back|to)|brought forward|called off',
  polite: 'please|pls|thanks|thx|btw',
};
