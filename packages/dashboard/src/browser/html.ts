import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

/** Markup as a tagged template. What is inserted is text or an attribute, never markup. */
export const html: (strings: TemplateStringsArray, ...values: unknown[]) => VNode = htm.bind(h) as never;

export type Children = ComponentChildren;
