import { createContext } from 'preact';
import { useProvided } from '#browser/use-provided.ts';
import type { Api } from './create-api.ts';
import type { Connection } from './create-connection.ts';
import type { SignInGate } from './create-sign-in-gate.ts';
import type { StatsApi } from './stats-api.ts';

export type ApiParts = { api: Api; statsApi: StatsApi; connection: Connection; gate: SignInGate };

export const ApiContext = createContext<ApiParts | undefined>(undefined);

export const useApiParts = (): ApiParts => useProvided(ApiContext);

export const useApi = (): Api => useApiParts().api;
export const useStatsApi = (): StatsApi => useApiParts().statsApi;
