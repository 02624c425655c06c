const run = 'globalThis.hacked=1';

/** Where markup may begin that a careless page would carry out. */
const markup = [
  `<script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>">`,
  `<a href="javascript:${run}">link</a>`,
  `<body onload=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<details open ontoggle=${run}>`,
  `<style>@import 'http://example.invalid/x.css';</style>`,
  `<link rel=stylesheet href=http://example.invalid/x.css>`,
  `<meta http-equiv=refresh content="0;url=http://example.invalid/">`,
  `<base href=http://example.invalid/>`,
  `<object data=http://example.invalid/x>`,
  `<video><source onerror=${run}></video>`,
  `<math><mi xlink:href="javascript:${run}">x</mi></math>`,
];

/** What a page may have opened before a text, which the text would close. */
const breakouts = ['', '">', "'>", '</textarea>'];

/** Texts that must be shown as they are. */
export const hostileTexts: readonly string[] = breakouts.flatMap((start, at) =>
  markup.map((text) => `Shape ${at}: ${start}${text}`),
);
