import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import { App } from './app.tsx';
import { ignoreStrayClicks } from './frame/second-click.ts';
import './parts/theme.ts';

ignoreStrayClicks();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
