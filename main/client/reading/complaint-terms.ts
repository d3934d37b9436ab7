import { dictionary } from './terms.ts';

/** What is wrong, so that a sentence is about its field and does not only speak of it. */
export type Complaint = 'taken' | 'registered' | 'wrong' | 'mismatch' | 'comparison' | 'absent' | 'process' | 'program';

export const findComplaints = dictionary<Complaint>([
  [
    'taken',
    `
    exists, already exists, already exist, allready exists, already taken, already in use, already used, already being used
    already been taken, already been used, already been registered, is already, been taken, is taken, taken
    in use, in used, not available, unavailable, isn t available, no longer available, not unique, must be unique, should be unique, be unique, unique
    duplicate*, occupied, used, claimed, conflict*, already associated, already linked, already belongs, already has an account, existing
    already there, s already, already an account, already present, already known, belongs to another
    ya existe, ya existen, existe, ya esta en uso, ya esta siendo, ya esta ocupad*, ya esta tomad*, ya ha sido, ya fue
    ya en uso, ya utilizad*, ya usad*, ya se encuentra en uso, ya se esta, en uso, no esta disponible, no disponible
    ya tiene una cuenta, ya tiene cuenta, ya pertenece, ya esta asociad*, ya esta vinculad*, duplicad*
    debe ser unic*, ocupad*, tomad*, ya lo usa, ya utiliza, ya hay, hay ya, ya tenemos, existe ya
    ja existe, ja existem, ja esta em uso, ja em uso, em uso, ja esta sendo, ja foi, ja utilizad*, ja usad*
    ja esta vinculad*, ja esta associad*, ja pertence, nao esta disponivel, indisponivel, ja possui, deve ser unic*
    ja se encontra em uso, ja ha, ja temos, ja esta a ser, ja esta utilizad*, ja tem uma conta
    existe deja, occupe*, deja existant*, deja utilise*, deja pris*, deja associe*, deja lie*, deja un compte, deja en cours
    est deja, a deja ete, y a deja, deja une, pas disponible, doit etre unique, existent deja
    existiert bereits, belegt, vergeben, verwendet, existiert schon, bereits existiert, schon existiert, bereits vergeben, schon vergeben
    bereits verwendet, bereits benutzt, bereits genutzt, bereits vorhanden, schon vorhanden, bereits belegt, ist bereits
    wird bereits, ist schon, ist vergeben, bereits in verwendung, bereits in benutzung, nicht verfugbar, schon verwendet, muss eindeutig, gibt es bereits
    gibt es schon, bereits ein
    gia in uso, gia utilizzat*, gia usat*, gia esistent*, gia pres*, esiste gia, gia associat*, gia occupat*, non disponibile
  `,
  ],
  [
    'registered',
    `
    already registered, is registered, been registered, already signed up, already have an account, already a member
    ya registrad*, ya esta registrad*, ya estas registrad*, ya se encuentra registrad*, ya tienes una cuenta
    ya tienes cuenta, ya fue registrad*, ya ha sido registrad*, ya estan registrad*, ya esta inscrit*, se encuentra registrad*, esta registrad*
    ya esta dado de alta
    ja cadastrad*, ja esta cadastrad*, ja registrad*, ja esta registrad*, ja registad*, ja esta registad*
    ja foi cadastrad*, ja foi registrad*, ja possui cadastro, ja possui uma conta, ja se encontra registad*, cadastrad*
    deja inscrit*, deja enregistre*, est enregistre*
    gia registrat*, gia iscritt*
    bereits registriert, schon registriert, ist registriert, bereits angemeldet
  `,
  ],
  [
    'wrong',
    `
    required, missing, mandatory, empty, blank, null, undefined, not provided, please enter, please provide, please fill
    please input, enter a, enter your, provide a, must be filled, filled, filled in, was not given, nil, specify
    no puede ir en blanco
    obligatori*, requerid*, necesari*, falta, faltan, vacio, vacia, en blanco, ingrese, ingresa, introduce, introduzca
    indique, indica, proporcione, debe ingresar
    obrigatori*, vazio, vazia, em branco, necessari*, informe, preencha, preenchid*, insira, digite
    obligatoire*, requis*, vide, renseigne*, veuillez, necessaire, manque, manquant*
    erforderlich, pflichtfeld, pflicht, leer, fehlt, fehlend*, benotigt, bitte, eingeben, ausgefullt, notwendig, angegeben
    invalid, not valid, valid, malformed, format, well formed, ill formed, not an email, not a string, must be a string
    incorrect, bad, wrong, illegal, unacceptable, not accepted, not supported, unsupported
    invalido, invalida, valido, valida, validos, formato, incorrecto, incorrecta, erroneo
    valide, invalide, incorrect, incorrecte, gultig*, ungultig*, korrekt*, falsch*, kein*
    short, long, longer, shorter, weak, weaker, common, commonly used, least, minimum, min, maximum, max, at most
    more than, less than, fewer, greater, character, characters, char, chars, length, digit, digits, uppercase, lowercase
    special, must, should, shall, needs, need to, contain, contains, contained, strong, stronger, strength, complexity, requirements
    breach*, pwned, compromised, leaked, insecure, secure, easy, guess*, numeric, not allowed, allowed, forbidden, blocked, not permitted
    disposable, temporary, reserved, cannot, can t, can not, may not, must not, not be, similar, policy, between
    corta, corto, larga, largo, debil, menos, minimo, minima, maximo, maxima, caracter, caracteres, longitud, letra, letras
    mayuscula*, minuscula*, numero, numeros, debe, deben, deberia, tiene que, contener, contenga, segura, comun, no permitid*, permitid*
    similar, parecid*, filtrad*, bloquead*, no puede, inseguro, insegura, no cumple, demasiado
    curta, curto, longa, fraca, fraco, pelo menos, comprimento, letra maiuscula, maiuscula*, deve, devem, conter, forte, nao pode, muito
    vazada, comum, nao permitid*, tamanho, nao atende, nao cumpre, precisa, precisam, tem que, requisitos
    court, courte, faible, au moins, majuscule*, minuscule*, caractere, caracteres, doit, doivent, contenir, ne peut, autorise*, fort
    trop, longueur, compromis, ne respecte pas, respecter, complexe, complexite, criteres
    kurz, lang, schwach, mindestens, hochstens, zeichen, grossbuchstabe*, kleinbuchstabe*, ziffer*, muss, mussen, darf, soll, sollte
    erfullt nicht, erfullen, anforderung*, richtlinie*, entspricht nicht, nicht entsprechen, entsprechen
    obbligatori*, richiest*, mancante, mancanti, manca, vuoto, vuota, inserisci, inserire, non valid*, errat*, sbagliat*
    deve, devono, almeno, massimo, caratteri, lunghezza, corta, corto, troppo, debole, maiuscol*, minuscol*, cifra, cifre
    contenere, non puo, non rispetta
    enthalten, unsicher, sicher, nicht erlaubt, nicht zulassig, gesperrt, stark, lange, zu
  `,
  ],
  [
    'mismatch',
    `
    do not match, does not match, don t match, didn t match, did not match, doesn t match, dont match, doesnt match
    must match, should match, not match, not matching, mismatch, mismatched, mismatches, must be the same
    must be same, should be the same, not the same, are different, must be identical, are not equal, not identical
    coincid*, ser iguales, son iguales, son distintas, son diferentes, deben ser igual*, no es igual
    son identic*, ser identic*, non coincid*, non corrispond*
    conferem, confere, correspondem, sao iguais, ser iguais, sao diferentes, nao corresponde
    sao identic*
    correspondent pas, correspond pas, correspondre, concordent pas, etre identiques, pas identiques, sont differents
    stimmen nicht, stimmt nicht, ubereinstimmen, uberein, nicht identisch, nicht gleich, identisch sein, gleich sein
    sind unterschiedlich, sind verschieden
  `,
  ],
  [
    'comparison',
    `
    match, matches, same, the same, equal, equals, identical, differ, different, igual, iguales, distint*, diferentes
    iguais, identiques, identique, correspond, correspondent, corresponde, identisch, gleich, verschieden
  `,
  ],
  [
    'absent',
    `
    not exist, no existe, no existen, nao existe, n existe pas, existiert nicht, not found, no encontrad*, no se encontro
    nao encontrad*, non trouve*, pas trouve*, nicht gefunden, not registered, no registrad*, no esta registrad*
    non esiste, non trovat*, non registrat*
    nao cadastrad*, nicht registriert, unknown user
  `,
  ],
  [
    // The server's program failed over a field, and nobody refused what is in it.
    'program',
    `
    not defined, cannot read, can t read, read properties, read property, of undefined, of null, not a function
    not iterable, none type, key error, attribute error, type error, reference error, syntax error
    undefined index, undefined array, undefined property, undefined variable, undefined method, undefined offset
    unknown column, no such column, column, columns, relation, not null constraint, default value, null pointer
    null value, has no attribute, traceback, scram, sasl, illegal arguments, bcrypt, salt
    constructor, prototype, argument of type, unexpected token, unexpected keyword
  `,
  ],
  [
    'process',
    `
    verified, verify, verifying, sent, send, sending, activate, activated, enviad*, enviar, verificad*, verificar
    envoye*, envoyer, gesendet, senden, verifie*, hash, hashing, encrypt*, smtp, connection, timeout, timed out
  `,
  ],
]);
