/** What `bench` compares our decoders with: a newer Anchor than the SDKs here name. */
export { BorshAccountsCoder, type Idl } from '@coral-xyz/anchor-32';
