import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { html } from '../html.ts';
import { navigate } from '../router/location.ts';
import { ADDRESS_ALLOWED, isAddress } from './is-address.ts';

/** Asks for an address, says at once when it cannot be one, and goes to its page. */
export function AddressForm({ initial = '' }: { readonly initial?: string }): VNode {
  const [text, setText] = useState(initial);
  const [isWrong, setWrong] = useState(initial !== '' && !isAddress(initial));
  const id = useId();
  const submit = (event: Event): void => {
    event.preventDefault();
    const address = text.trim();
    setWrong(!isAddress(address));
    if (isAddress(address)) navigate(`/accounts/${address}`);
    else (event.currentTarget as HTMLFormElement).querySelector('input')?.focus();
  };
  return html`
    <form class="address-form" novalidate onSubmit=${submit}>
      <label class="field" for=${id}>
        <span class="field-label">Wallet or lending account</span>
      </label>
      <div class="address-row">
        <input
          id=${id}
          type="text"
          name="address"
          value=${text}
          placeholder="Address"
          autocomplete="off"
          autocapitalize="off"
          spellcheck=${false}
          maxlength="60"
          aria-invalid=${isWrong}
          aria-describedby=${isWrong ? `${id}-error` : undefined}
          onInput=${(event: Event) => {
            const next = (event.currentTarget as HTMLInputElement).value;
            setText(next);
            if (isWrong) setWrong(!isAddress(next.trim()));
          }}
        />
        <button type="submit" class="primary">Show</button>
      </div>
      ${isWrong && html`<p id=${`${id}-error`} class="field-error" role="alert">${ADDRESS_ALLOWED}</p>`}
    </form>
  `;
}
