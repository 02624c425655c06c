/**
 * Shapes of keys and tokens that services give out, as their documentation shows them: a prefix
 * that nothing else has, then letters and digits of a known number.
 */
export const keyShapes = [
  // AI services
  'sk-(?:proj-|ant-|or-|svcacct-)?[A-Za-z0-9_-]{16,}',
  'hf_[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}|xai-[A-Za-z0-9]{40,}',
  'pplx-[A-Za-z0-9]{30,}|(?:m0|mk|mneme)[-_][A-Za-z0-9_-]{20,}',
  // code and packages
  'gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|gl(?:pat|ptt|dt|rt|cbt|ft|soat)-[\\w-]{16,}',
  'npm_[A-Za-z0-9]{30,}|pypi-[\\w-]{40,}|rubygems_[a-f0-9]{48}|dckr_(?:pat|oat)_[\\w-]{20,}',
  'AT(?:ATT|CTT|BB)3?[\\w=-]{24,}|lin_api_\\w{30,}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
  // clouds and operation
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}|AIza[\\w-]{30,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}',
  '1//0[\\w-]{20,}',
  '[\\w~.]{3}\\dQ~[\\w~.-]{31,34}|do[oprt]_v1_[a-f0-9]{40,}|dapi[a-f0-9]{32}(?:-\\d)?',
  'hv[sbr]\\.[\\w-]{20,}|s\\.[A-Za-z0-9]{24}(?![\\w.])|pscale_(?:tkn|pw|oauth)_[\\w.-]{30,}',
  'sbp_[a-f0-9]{40}|sb_secret_[\\w-]{20,}|fm[12]_[\\w+/=-]{40,}|nfp_[A-Za-z0-9]{36}',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{30,}|tskey-[a-z]+-[\\w-]{20,}',
  'sntrys_[\\w=+/-]{30,}|NRAK-[A-Z0-9]{27}|NRJS-[a-f0-9]{19}|gl(?:c|sa)_[\\w+/=-]{30,}',
  'AGE-SECRET-KEY-1[A-Z0-9]{50,}',
  // messages and mail
  'xox[abeprs]-[\\w-]{10,}|xapp-[\\w-]{10,}|(?<!\\d)\\d{8,10}:AA[\\w-]{32,}',
  '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}|key-[a-f0-9]{32}|xkeysib-[a-f0-9]{64}-\\w{16}',
  '[a-f0-9]{32}-us\\d{1,2}(?!\\w)|SK[a-f0-9]{32}(?!\\w)|EAA[A-Za-z0-9]{60,}',
  // shops, payment and content
  '(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[\\w+/=-]{24,}|sq0[a-z]{3}-[\\w-]{20,}',
  'access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|shippo_(?:live|test)_[a-f0-9]{40}',
  'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}|fig[dour]_[\\w-]{30,}|(?:ntn|secret)_[A-Za-z0-9]{40,}',
].join('|');

/** Addresses that are secrets themselves: everybody who knows one can use it. */
export const secretAddresses =
  'hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/-]{20,}|' +
  'discord(?:app)?\\.com/api/webhooks/\\d{15,20}/[\\w-]{40,}|' +
  '[\\w-]{1,60}\\.webhook\\.office\\.com/webhookb2/[\\w@/-]{40,}|' +
  'chat\\.googleapis\\.com/v1/spaces/[\\w-]{1,40}/messages\\?key=[\\w&=%.-]{40,}';

/** The text right before a secret in commands, files and addresses. */
export const secretPlaces: readonly { kind: string; before: string; secret: string }[] = [
  {
    kind: 'password',
    before: '\\bmysql\\w*\\b[^\\n]{0,100} -p',
    secret: '[^\\s\'"-][^\\s\'"]{3,}',
  },
  { kind: 'password', before: '\\bsshpass -p ?[\'"]?', secret: '[^\\s\'"]{3,}' },
  {
    kind: 'password',
    before: '\\bcurl\\b[^\\n]{0,200} (?:-u|--user)[ =]?[\'"]?[^\\s:\'"]{1,60}:',
    secret: '[^\\s\'"]{3,}',
  },
  { kind: 'password', before: '\\blogin \\S{1,60}\\s{1,3}password ', secret: '\\S{3,}' },
  { kind: 'password', before: '\\bWIFI:[^\\n]{0,100}P:', secret: '[^;\\s]{3,}' },
  {
    kind: 'token',
    before: '\\b(?:session_?id|phpsessid|jsessionid|asp\\.net_sessionid|connect\\.sid|sid|auth)=',
    secret: '[\\w%.:-]{16,}',
  },
  {
    kind: 'token',
    before: '[?&](?:sig|signature|access_token|token)=',
    secret: '[\\w%.~+/=-]{16,}',
  },
  // The second half of a key that was taken out.
  {
    kind: 'secret',
    before: '\\[REDACTED:api_key\\][^\\n\\w+]{1,4}(?:\\w{1,12}[:= ]{1,3}){0,3}',
    secret: '[\\w/+]{40}(?![\\w/+=])',
  },
  {
    kind: 'recovery_code',
    before:
      '\\b(?:seed|recovery|secret|backup|wallet|mnemonic) (?:phrase|words)\\b[^:\\n]{0,40}(?::| is| are)\\s{1,2}',
    secret: '(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}(?!\\w)',
  },
];

/** Words and paths consist of few such parts, random keys of many. */
const runParts = /[A-Z]?[a-z]+|[A-Z]+|\d+/g;
const runPartsMin = 13;

/** Runs that are secret where the line before them says what they are. */
export const secretRuns: readonly {
  kind: string;
  pattern: RegExp;
  isFalsePositive?: (match: string) => boolean;
}[] = [
  {
    kind: 'secret',
    pattern:
      /(?<![\w/+=])[\w/+]{40}(?![\w/+=])(?<=(?<!\p{L})(?:aws|amazon|s3|secret)(?!\p{L})[^\n]{0,140})/giu,
    isFalsePositive: (match) =>
      !/[A-Z]/.test(match) || (match.match(runParts)?.length ?? 0) < runPartsMin,
  },
  {
    kind: 'secret',
    pattern:
      /(?<!\w)[A-Z2-7]{16,64}(?!\w)(?<=\b(?:2fa|2FA|mfa|MFA|totp|TOTP|otp|OTP|[Aa]uthenticator|[Ss]etup key)\b[^\n]{0,124})/g,
  },
  {
    kind: 'private_key',
    pattern:
      /(?<!\w)(?:0x)?[a-f0-9]{64}(?!\w)(?<=\b(?:private key|metamask|wallet)\b[^\n]{0,126})/gi,
  },
];

/**
 * What stands for a secret without being one: a name to fill in, a variable, an address in a
 * document.
 */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || code.test(value);
}

/** A call, such as `getPassword(`, or a member that is named after what it holds. */
const code = new RegExp(
  '^(?:(?=[a-z]+[A-Z_.]|(?:input|prompt|getpass|decrypt|hash)\\()[a-z][A-Za-z_]*(?:\\.[A-Za-z_]+)*\\(|' +
    '(?:[a-z][A-Za-z_]*\\.)+[A-Za-z_]*(?:[Pp]ass(?:word|wd)?|[Pp]wd|[Ss]ecret|[Tt]oken|[Kk]ey)$)',
);

const placeholder = new RegExp(
  '^(?:<|\\[|\\$|%|\\{|\\*{3}|\\.{3}|x{3,}|(?:process\\.|import\\.meta\\.)?env\\b|os\\.|' +
    'secrets?\\.|getenv|(?:your|my|the|some|change)[-_ ]?|pass(?:word|wd)?$|pwd$|secret$|user$|' +
    'example|placeholder|redacted|null$|none$|undefined$)|\\.{3}$|(?:^|[_-])(?:HERE|YOUR|KEY)$',
  'iu',
);
