import type { CategoryWords } from '../default-categories.ts';

export const japaneseCategories: CategoryWords = {
  family: '妻|夫|息子|娘|母|父|姉|兄|妹|弟|両親|祖母|祖父|家族|子ども|子供',
  food: '食べ|料理|コーヒー|紅茶|お茶|ベジタリアン|ワイン|ビール|寿司|ラーメン',
  sports: 'サッカー|野球|テニス|マラソン|水泳|ヨガ|ジム|バスケ',
  travel: '旅行|飛行機|ホテル|空港|出張',
  health: 'アレルギー|歯医者|病院|医者|喘息|糖尿病|妊娠',
  music: '音楽|ギター|ピアノ|バイオリン|コンサート|歌手',
  professional_details: 'で働いて|に転職|エンジニア|上司|同僚|昇進',
  milestones: '結婚|卒業|婚約|昇進|出産',
};
