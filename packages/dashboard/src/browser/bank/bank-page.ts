import type { VNode } from 'preact';
import { isAddress } from '../accounts/is-address.ts';
import { useRequest } from '../data/use-request.ts';
import type { WireBankReply } from '../data/wire-records.ts';
import { html } from '../html.ts';
import { PageHead } from '../parts/page-head.ts';
import { Answered, Empty } from '../parts/states.ts';
import { BankView } from './bank-view.ts';

/** One bank: what it pays, what is in it and may be, what it counts for, and how that went. */
export function BankPage({ params }: { readonly params: { readonly address?: string } }): VNode {
  const address = params.address ?? '';
  const isValid = isAddress(address);
  const request = useRequest<WireBankReply>(isValid ? `/v1/banks/${address}` : null);
  const bank = request.data;
  const isMissing = !isValid || (bank === null && request.error?.code === 'BANK_NOT_FOUND');
  return html`
    <${PageHead}
      title=${bank === null ? 'Bank' : `${bank.symbol ?? 'Unnamed'} on ${bank.venue}`}
      intro=${html`<span class="address">${address.slice(0, 60)}</span>`}
    />
    ${
      isMissing
        ? html`<${Empty} title="There is no bank here"><a href="/">See all banks</a><//>`
        : html`<${Answered} request=${request} what="the bank" rows=${10}>
            ${(reply: WireBankReply) => html`<${BankView} key=${reply.address} reply=${reply} />`}
          <//>`
    }
  ` as unknown as VNode;
}
