/** Months of one year, from 0 to 12; both clocks show them. */
type Month = number;
/** What the store answers for a slot within these times of both clocks. */
type Area = { value: string; known: [Month, Month]; valid: [Month, Month] };
/** A question by both clocks. */
type Question = { as_of: Month; valid_at: Month };
type Picture = { title: string; areas: Area[]; questions?: Question[] };

const [start, end] = [0, 12];
const always: [Month, Month] = [start, end];
const [february, may, july, september, october] = [1, 4, 6, 8, 9];

const paris: Area = { value: 'Paris', known: [february, july], valid: always };
const moved: Area[] = [
  paris,
  { value: 'Paris', known: [july, end], valid: [start, may] },
  { value: 'Rome', known: [july, end], valid: [may, end] },
];
const corrected: Area[] = [
  ...moved.slice(0, 2),
  { value: 'Rome', known: [july, september], valid: [may, end] },
  { value: 'Ostia', known: [september, end], valid: [may, end] },
];

const pictures: Record<string, Picture> = {
  told: {
    title: 'In February Ann says where she lives: Paris',
    areas: [{ ...paris, known: [february, end] }],
  },
  superseded: { title: 'In July she says that she moved to Rome in May', areas: moved },
  asked: {
    title: 'Three questions: each is answered by the area that it is in',
    areas: moved,
    questions: [
      { as_of: 5.3, valid_at: 5.5 },
      { as_of: 11, valid_at: 5.5 },
      { as_of: 11, valid_at: 3 },
    ],
  },
  corrected: {
    title: 'In September the text is corrected: it was Ostia all along',
    areas: corrected,
  },
  undone: {
    title: 'In October both changes are undone: Paris again, and the past stays',
    areas: [
      ...corrected.map((area): Area => {
        const [from, until] = area.known;
        return { ...area, known: [from, Math.min(until, october)] };
      }),
      { value: 'Paris', known: [october, end], valid: always },
    ],
  },
};

const [left, top, side, gap] = [96, 44, 360, 56];
const step = side / end;
const fills: Record<string, string> = { Paris: '#7fb4ff', Rome: '#f2c063', Ostia: '#8fd694' };
const monthLetters = 'JFMAMJJASOND';

/** The pictures of docs/time.md by file: what is known from left to right, what is true upwards. */
export function clockPictures(): Record<string, string> {
  const files = Object.entries(pictures).map(([name, picture]) => {
    return [`docs/images/time-${name}.svg`, draw(picture)] as const;
  });
  return Object.fromEntries(files);
}

function draw({ title, areas, questions = [] }: Picture): string {
  const [width, height] = [left + side + 24, top + side + gap];
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"`,
    `  font-family="system-ui, sans-serif" font-size="12" fill="#d7dae0">`,
    `  <title>${title}</title>`,
    `  <rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"`,
    '    fill="#16181d" stroke="#5b6270"/>',
    `  <text x="20" y="26" font-size="14" fill="#ffffff">${title}</text>`,
    ...drawMonths(),
    ...areas.map(drawArea),
    `  <path d="M${left} ${top} V${top + side} H${left + side}" fill="none" stroke="#8b93a3"/>`,
    `  <text x="${left + side}" y="${top + side + 40}" text-anchor="end">as_of: known then →</text>`,
    `  <text x="28" y="${top + side}" transform="rotate(-90 28 ${top + side})">valid_at: true then →</text>`,
    ...questions.map(drawQuestion),
    '</svg>',
  ].join('\n')}\n`;
}

/** The first letters of the months along both clocks. */
function drawMonths(): string[] {
  const middles = [...monthLetters].map((_, month) => (month + 0.5) * step);
  const xs = middles.map((at) => left + at).join(' ');
  const ys = middles.map((at) => top + side - at + 4).join(' ');
  const column = middles.map(() => left - 14).join(' ');
  return [
    `  <text x="${xs}" y="${top + side + 18}" font-size="10">${monthLetters}</text>`,
    `  <text x="${column}" y="${ys}" font-size="10">${monthLetters}</text>`,
  ];
}

function drawArea({ value, known, valid }: Area): string {
  const [x, y] = [left + known[0] * step, top + side - valid[1] * step];
  const [wide, high] = [(known[1] - known[0]) * step, (valid[1] - valid[0]) * step];
  const size = `width="${wide}" height="${high}"`;
  const middle = `x="${x + wide / 2}" y="${y + high / 2 + 4}"`;
  return (
    `  <rect x="${x}" y="${y}" ${size} fill="${fills[value]}" stroke="#16181d"/>\n` +
    `  <text ${middle} text-anchor="middle" fill="#16181d">${value}</text>`
  );
}

function drawQuestion({ as_of, valid_at }: Question, at: number): string {
  const [x, y] = [left + as_of * step, top + side - valid_at * step];
  return (
    `  <circle cx="${x}" cy="${y}" r="10" fill="#16181d"/>\n` +
    `  <text x="${x}" y="${y + 4}" text-anchor="middle" fill="#ffffff">${at + 1}</text>`
  );
}
