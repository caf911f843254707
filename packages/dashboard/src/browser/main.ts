import { render } from 'preact';
import { App } from './app.ts';
import { html } from './html.ts';
import { watchLocation } from './router/location.ts';
import { watchTheme } from './theme/theme.ts';

watchTheme();
watchLocation();
render(html`<${App} />`, document.getElementById('app') as HTMLElement);
