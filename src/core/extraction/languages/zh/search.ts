export const chineseSearch = {
  past: '以前|之前',
};
