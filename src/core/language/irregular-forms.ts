/** Forms of English words that no rule of endings joins, each line a word and its forms. */
const table = `
  become became
  begin began begun
  bend bent
  bite bit bitten
  blow blew blown
  break broke broken
  bring brought
  build built
  buy bought
  catch caught
  child children
  choose chose chosen
  come came
  deal dealt
  dig dug
  draw drew drawn
  drink drank drunk
  drive drove driven
  eat ate eaten
  fall fell fallen
  feed fed
  feel felt
  fight fought
  find found
  fly flew flown
  foot feet
  forget forgot forgotten
  forgive forgave forgiven
  freeze froze frozen
  get got gotten
  give gave given
  go went gone
  grow grew grown
  hang hung
  hear heard
  hide hid hidden
  hold held
  keep kept
  knife knives
  know knew known
  lay laid
  lead led
  leave left
  lend lent
  life lives
  light lit
  lose lost
  make made
  man men
  mean meant
  meet met
  mouse mice
  pay paid
  person people
  ride rode ridden
  ring rang rung
  rise rose risen
  run ran
  say said
  see saw seen
  seek sought
  sell sold
  send sent
  shake shook shaken
  shoot shot
  show shown
  sing sang sung
  sink sank sunk
  sit sat
  sleep slept
  speak spoke spoken
  spend spent
  stand stood
  steal stole stolen
  stick stuck
  strike struck
  sweep swept
  swim swam swum
  swing swung
  take took taken
  teach taught
  tear tore torn
  tell told
  think thought
  throw threw thrown
  tooth teeth
  understand understood
  wake woke woken
  wear wore worn
  wife wives
  win won
  woman women
  write wrote written`;

const words = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(' '));

/** From an irregular form to its word, both in lower case. */
export const irregularForms: ReadonlyMap<string, string> = new Map(
  words.flatMap(([word = '', ...forms]) => forms.map((form) => [form, word])),
);
