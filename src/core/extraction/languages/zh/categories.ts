import type { CategoryWords } from '../default-categories.ts';

export const chineseCategories: CategoryWords = {
  family: '妻子|丈夫|儿子|女儿|妈妈|母亲|爸爸|父亲|姐姐|哥哥|妹妹|弟弟|父母|奶奶|爷爷|孩子',
  food: '吃|咖啡|喝茶|素食|做饭|葡萄酒|啤酒|巧克力|火锅',
  sports: '足球|篮球|网球|马拉松|游泳|瑜伽|健身|跑步|羽毛球',
  travel: '旅行|旅游|飞机|航班|酒店|机场|出差',
  health: '过敏|牙医|医院|医生|哮喘|糖尿病|怀孕',
  music: '音乐|吉他|钢琴|小提琴|演唱会|唱歌',
  professional_details: '工作|工程师|同事|老板|升职|跳槽|入职',
  milestones: '结婚|毕业|订婚|升职',
};
