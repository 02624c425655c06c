import { type AskingWords, askingWords } from '../asking-words.ts';

export const portugueseAsking: AskingWords = askingWords({
  polite: 'por favor|e|ou|mas|então|agora|depois|ok|aí|só',
  tasks: [
    '(?:me (?:diga|mostre|dê|envie|explique|ajude|conte|conta|recomende|dá|mostra|diz|explica|ajuda|manda|faz|faça)|diga-me|mostre-me|ajude-me|explique|conta-me|diz-me|dá-me|explica-me|ajuda-me|faz-me|escreve-me)',
    '(?:escreva|traduza|resuma|compare|procure|encontre|crie|faça|gere|escreve|traduz|resume|procura|cria|faz|tira|tire|põe|ponha|coloca|coloque|muda|mude|corrige|corrija|acrescenta|acrescente|adiciona|adicione|apaga|apague|troca|troque|encurta|encurte|calcula|calcule|lista|liste|continua|continue|deixa|deixe|inventa|invente|repete|repita|escolhe|escolha)(?: me)? (?:uma?|o|a|os|as|isto|este|esta|isso|esse|essa|mais|menos|só|outro|outra|["“«\']|dois|duas|três)',
    'traduza para',
  ],
  lasting:
    'sempre|nunca|a partir de agora|de agora em diante|daqui em diante|cada vez|meus?|minhas?',
  quoting:
    '(?<!\\p{L})(?:escreveu|disse|diz|respondeu|tradu[zc]a?|corri[gj][ea]|resum[ea]|letra|carta|e-?mail|poema|história|personagem|redação|citação)(?!\\p{L})',
  supposing:
    'suponha(?:mos)?|imagina|imagine(?:mos)?|digamos que|vamos supor|faz de conta|e se (?:eu )?',
  play: '(?:imagina|imagine|finge|faz de conta|vamos brincar)[^.!?]{1,80}(?:eu sou|eu serei|e eu) (?:uma?|o|a|seu|teu)',
  conditional: {
    condition:
      'se (?:eu )?(?:fosse|tivesse(?! (?:que|de))|vivesse|morasse|pudesse|ganhasse|trabalhasse)',
    consequence: '\\p{L}{1,30}ria',
    fact: 'mas|porque|embora',
  },
});
