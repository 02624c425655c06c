import { render } from 'preact';
import { App } from './app.tsx';
import './parts/theme.ts';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
