export const chineseSearch = {
  past: '以前|之前',
  negations: '不|没',
};
