import { slotsOf } from '@lending/programs';
import { type Codec, getConstantCodec, getHiddenPrefixCodec } from '@solana/kit';
import { differencesFromFields } from './compare-codec.ts';
import type { EventClaim } from './event-claims.ts';
import { bodyOf, eventDiscriminatorOf, type Idl, type IdlField, instructionOf, versionOfIdl } from './idl.ts';
import type { InstructionClaim } from './instruction-claims.ts';
import { codecName } from './sample-by-idl.ts';

/** How an instruction differs from its IDL: discriminator, accounts in order with their flags, arguments. */
export function instructionDifferences(claim: InstructionClaim, idl: Idl): string[] {
  const declared = instructionOf(idl, claim.layout.name);
  const want = declared.accounts.map(({ name, writable, signer, optional }) =>
    describeSlot(codecName(name), writable, signer, optional),
  );
  const have = slotsOf(claim.layout, versionOfIdl(claim.idl)).map(({ name, isWritable, isSigner, isOptional }) =>
    describeSlot(name, isWritable, isSigner, isOptional),
  );
  const at = want.findIndex((slot, index) => slot !== have[index]);
  if (at >= 0) return [`the IDL has account ${want[at]}, the layout ${have[at] ?? 'nothing'}`];
  if (have.length > want.length) return [`the layout has account ${have[want.length]}, the IDL nothing`];
  return bodyDifferences({
    codec: claim.layout.args as Codec<unknown>,
    own: claim.layout.discriminator,
    idl,
    discriminator: Uint8Array.from(declared.discriminator),
    fields: claim.args ?? declared.args,
    appended: claim.appended ?? [],
    // An argument that a newer program needs is written for older ones too, which do not read that far.
    isShortWritten: claim.appended === undefined,
  });
}

/** How an event differs from its IDL: discriminator and fields, with and without what a newer version appended. */
export function eventDifferences(claim: EventClaim, idl: Idl): string[] {
  return bodyDifferences({
    codec: claim.layout.fields as Codec<unknown>,
    own: claim.layout.discriminator,
    idl,
    discriminator: eventDiscriminatorOf(idl, claim.layout.name),
    fields: claim.fields ?? fieldsOf(idl, claim.layout.name),
    appended: claim.appended ?? [],
    isShortWritten: true,
  });
}

interface Body {
  readonly codec: Codec<unknown>;
  readonly own: Uint8Array;
  readonly idl: Idl;
  readonly discriminator: Uint8Array;
  readonly fields: readonly IdlField[];
  readonly appended: readonly IdlField[];
  readonly isShortWritten: boolean;
}

function bodyDifferences({ own, codec, fields, appended, isShortWritten, ...rest }: Body): string[] {
  const whole = { ...rest, codec: getHiddenPrefixCodec(codec, [getConstantCodec(own)]) as Codec<unknown> };
  const long = differencesFromFields({ ...whole, fields: [...fields, ...appended] });
  if (long.length > 0 || appended.length === 0) return long;
  const absent = appended.map((field) => codecName(field.name));
  return differencesFromFields({ ...whole, fields, absent, isRoundTrip: isShortWritten });
}

function fieldsOf(idl: Idl, event: string): readonly IdlField[] {
  const body = bodyOf(idl, event);
  if (body.kind !== 'struct') throw new Error(`${event} is not a struct`);
  return body.fields;
}

function describeSlot(name: string, isWritable = false, isSigner = false, isOptional = false): string {
  return [name, isWritable && 'writable', isSigner && 'signer', isOptional && 'optional'].filter(Boolean).join(' ');
}
