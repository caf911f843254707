import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePoliteReload } from '../data/use-polite-reload.ts';
import { type Requested, useRequest } from '../data/use-request.ts';
import { shortAddress } from '../format/address.ts';
import { formatUsd } from '../format/number.ts';
import { html } from '../html.ts';
import { PageHead } from '../parts/page-head.ts';
import { Answered, Empty, Loading, Notice } from '../parts/states.ts';
import { useQuery } from '../router/query.ts';
import { AccountView } from './account-view.ts';
import { AddressForm } from './address-form.ts';
import { isAddress } from './is-address.ts';
import { rememberAddress } from './recent-addresses.ts';
import type { WireAccount, WireAccountsReply } from './wire-account.ts';

/** While an address is being read for the first time. */
const ASK_AGAIN_MS = 15_000;

/** The accounts of an address: a wallet's, or the one it is. */
export function AccountPage({ params }: { readonly params: { readonly address?: string } }): VNode {
  const address = params.address ?? '';
  const isValid = isAddress(address);
  const request = useRequest<WireAccountsReply>(isValid ? `/v1/account/${address}` : null);
  const isBeingRead = request.data !== null && !request.data.coverage.complete;
  usePoliteReload(request.reload, { everyMs: ASK_AGAIN_MS, isWanted: isBeingRead });
  const found = request.data?.accounts.length ?? 0;
  useEffect(() => {
    if (found > 0) rememberAddress(address);
  }, [address, found]);
  return html`
    <${PageHead} title="Account" intro=${html`<span class="address">${address}</span>`} />
    ${
      isValid
        ? html`<${Answered} request=${request} what="the account" rows=${8}>
            ${(reply: WireAccountsReply) => html`<${Accounts} key=${address} address=${address} reply=${reply} request=${request} />`}
          <//>`
        : html`<${Empty} title="This is no address" />
            <section class="panel panel-padded" aria-label="Address"><${AddressForm} initial=${address.slice(0, 60)} /></section>`
    }
  ` as unknown as VNode;
}

interface AccountsProps {
  readonly address: string;
  readonly reply: WireAccountsReply;
  readonly request: Requested<WireAccountsReply>;
}

function Accounts({ address, reply, request }: AccountsProps): VNode {
  const query = useQuery();
  const { accounts, coverage } = reply;
  const asked = query.get('account');
  // Which one was shown first stays, though another may grow larger while it is looked at.
  const [first] = useState(() => largestOf(accounts)?.address);
  const named = (name: string | null | undefined) => accounts.find((candidate) => candidate.address === name);
  const account = named(asked) ?? named(first) ?? largestOf(accounts);
  if (account === undefined) {
    if (!coverage.complete) return html`<${BeingRead} reason=${coverage.reason} request=${request} />`;
    return html`
      <${Empty} title="No lending account here">${reply.empty_reason?.split(' — ')[0] ?? 'Nothing is at this address.'}<//>
      <section class="panel panel-padded" aria-label="Address"><${AddressForm} /></section>
    ` as unknown as VNode;
  }
  return html`
    ${!coverage.complete && html`<${Notice} tone="info">Not everything is known of this address: ${coverage.reason ?? 'it is being read'}.<//>`}
    ${
      accounts.length > 1 &&
      html`<nav class="account-tabs" aria-label="Accounts of this wallet">
        <ul>
          ${accounts.map(
            (each) => html`
              <li key=${each.address}>
                <a href=${`/accounts/${address}?account=${each.address}`} title=${each.address} aria-current=${each === account ? 'true' : undefined}>
                  <span class="address">${shortAddress(each.address)}</span> ${formatUsd(each.assets_usd)}
                </a>
              </li>
            `,
          )}
        </ul>
      </nav>`
    }
    <${AccountView} key=${account.address} asked=${address} account=${account} reply=${reply} request=${request} />
  ` as unknown as VNode;
}

/** The one that matters most to look at first. */
function largestOf(accounts: readonly WireAccount[]): WireAccount | undefined {
  return accounts.toSorted((a, b) => (b.assets_usd ?? -1) - (a.assets_usd ?? -1))[0];
}

/** The address was not followed before: what there is of it is on its way. */
function BeingRead({
  reason,
  request,
}: {
  readonly reason: string | null;
  readonly request: Requested<unknown>;
}): VNode {
  return html`
    <${Notice} tone="info">
      This address is being read from the chain for the first time${reason === null ? '' : `: ${reason}`}. The page asks again by itself.${' '}
      <button type="button" class="quiet" disabled=${request.isLoading} onClick=${request.reload}>Ask now</button>
    <//>
    <${Loading} what="the account" rows=${6} />
  ` as unknown as VNode;
}
