/** Known formats that are not read, by signs that no other format has. */
const unsupported: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['PHP', /<\?php|\bcurl_(?:init|setopt)\b|\$\w+->(?:post|request|get)\(|\bHttp::(?:post|withHeaders)\b/],
  ['Ruby', /\bNet::HTTP\b|\b(?:HTTParty|RestClient|Faraday)\b|^require ['"]/m],
  ['Go', /\bhttp\.(?:NewRequest|Post|PostForm)\(|^package main\b/m],
  ['C#', /\bPostAs(?:Json)?Async\b|\bnew (?:HttpClient|RestClient|RestRequest)\(|^using System/m],
  [
    'Java',
    /\bHttpRequest\.newBuilder\b|\b(?:OkHttpClient|RestTemplate|HttpURLConnection|Unirest|WebClient)\b|\bRestAssured\b/,
  ],
  ['Swift', /\bURLRequest\(|\bURLSession\b|\bAlamofire\b/],
  ['Dart', /\bUri\.parse\(|\bDio\(/],
  ['Rust', /\breqwest::/],
  ['R', /\bhttr2?::|\blibrary\(httr/],
  ['GraphQL', /^(?:type (?:Query|Mutation)\b|schema \{)/m],
  ['Protocol Buffers', /^syntax = "proto\d"/m],
  ['WSDL', /<(?:\w+:)?definitions\b[^>]{0,2000}wsdl/],
  ['RAML', /^#%RAML/],
  ['API Blueprint', /^FORMAT: 1A/],
  ['JMeter', /<jmeterTestPlan\b/],
  ['AsyncAPI', /^["'\s{]*asyncapi["']?\s*:/m],
  ['HTML', /^\s*(?:<!doctype html|<html)\b/i],
];

/** The name of the format, if it is known and not read. */
export const detectUnsupportedFormat = (text: string): string | undefined =>
  unsupported.find(([, pattern]) => pattern.test(text.slice(0, 100_000)))?.[0];
