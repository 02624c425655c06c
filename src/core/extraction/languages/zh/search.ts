export const chineseSearch = {
  asksLast: '吗|呢|么',
  past: '以前|之前',
  negations: '不|没',
};
