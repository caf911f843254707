import type { VNode } from 'preact';
import { html } from '../html.ts';
import { PageHead } from '../parts/page-head.ts';
import { useStore } from '../store.ts';
import { AddressForm } from './address-form.ts';
import { forgetAddresses, recentAddresses } from './recent-addresses.ts';

/** Where an address is asked for. */
export function AccountsPage(): VNode {
  const recent = useStore(recentAddresses);
  return html`
    <${PageHead} title="Accounts" intro="What an account supplied and owes, how far it is from liquidation, and what it did." />
    <section class="panel panel-padded" aria-label="Address"><${AddressForm} /></section>
    ${
      recent.length > 0 &&
      html`<section class="panel panel-padded" aria-labelledby="recent-title">
        <div class="panel-head">
          <h2 id="recent-title">Looked at here before</h2>
          <button type="button" class="quiet" onClick=${forgetAddresses}>Forget them</button>
        </div>
        <ul class="plain-list">
          ${recent.map((address) => html`<li key=${address}><a class="address" href=${`/accounts/${address}`}>${address}</a></li>`)}
        </ul>
      </section>`
    }
  ` as unknown as VNode;
}
