export const englishChanges = [
  "stopp|quit|no longer |no more |(?:not|\\p{L}{2,6}n['’]t) .{0,60}any (?:more|longer) |(?:not|\\p{L}{2,6}n['’]t) .{0,60}anymore |went off |goodbye |cancel|ended |finished |gave up|given up|dropped |ditched |done with",
  'died |dead |passed away|buried |put to sleep',
  'sold |selling |gave .{0,20}away|given away|gave it |got rid|threw out|binned|scrapped',
  'moved |moving |relocat|left ',
  'switch|swap|chang|replac|instead |traded ',
  'now |nowadays|these days|from now on|since ',
  'back on|back to|again |resum',
  'broke up|split up|divorc|separat',
  "hate|dislik|detest|loath|despis|ca(?:n['’]t|nnot) (?:stand|bear)|no fan|sick of|fed up|not .{0,12}(?:fan|fond|keen|like|love|enjoy)|(?:go|gone|going|went) .{0,8}off |(?:do|does|did)n['’]t .{0,12}(?:like|love|enjoy|care for)|used to (?:like|love|enjoy)|(?:never|no longer|stopped) .{0,8}(?:lik|lov|enjoy)",
  'actually |turns out|turned out|misremember|mistaken|upgraded|revised|in fact|postpon|resched|pushed (?:back|to)|brought forward|called off',
].join('|');
