import type { VNode } from 'preact';
import { AccountPage } from './accounts/account-page.ts';
import { AccountsPage } from './accounts/accounts-page.ts';
import { BankPage } from './bank/bank-page.ts';
import { BanksPage } from './banks/banks-page.ts';
import type { PagePath } from './page-paths.ts';
import { PipelinePage } from './pipeline/pipeline-page.ts';
import type { PathParams } from './router/match-path.ts';
import { StrategiesPage } from './strategies/strategies-page.ts';

/** What stands at a path. */
export interface Page {
  readonly path: PagePath;
  /** Word in the navigation; none for pages that others lead to. */
  readonly nav?: string;
  readonly component: (props: { readonly params: PathParams }) => VNode;
}

/** Every page, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  { path: '/', nav: 'Banks', component: BanksPage },
  { path: '/banks/:address', component: BankPage },
  { path: '/strategies', nav: 'Strategies', component: StrategiesPage },
  { path: '/accounts', nav: 'Accounts', component: AccountsPage },
  { path: '/accounts/:address', component: AccountPage },
  { path: '/pipeline', nav: 'Pipeline', component: PipelinePage },
];
