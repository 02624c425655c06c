export const germanChanges = [
  'aufgehört|aufgegeben|gekündigt|nicht mehr|kein\\p{L}* .{0,30}mehr |beendet|abgemeldet',
  'gestorben|verstorben|eingeschläfert',
  'verkauft|verschenkt|weggegeben',
  'umgezogen|gezogen|weggezogen|ausgezogen',
  'gewechselt|umgestiegen|statt |getauscht',
  'jetzt |inzwischen|mittlerweile|seit |ab sofort',
  'wieder ',
  'getrennt|geschieden',
  'hass|verabscheu|nicht (?:mehr )?(?:ausstehen|leiden|gern)|mag .{0,24}(?:nicht|kein)',
  'eigentlich|stimmt nicht|in wirklichkeit|hat sich herausgestellt|korrigier|verschob|verleg|abgesagt|fällt aus',
].join('|');
