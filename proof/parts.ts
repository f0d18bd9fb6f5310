// Every part of the proof, in the order in which it is run and reported.
import type { Part } from './part.ts';

export const parts: Part[] = [];
