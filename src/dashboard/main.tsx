import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import { App } from './app.tsx';
import './parts/theme.ts';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
