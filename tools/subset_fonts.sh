#!/bin/sh
# Makes static/fonts/*.woff2 out of the full Vollkorn of npm's @expo-google-fonts/vollkorn 0.4.1 (OFL).
# Run once, by hand, in a folder where `pip install fonttools==4.68.0 brotli` and `npm pack` may write:
#
#   npm pack @expo-google-fonts/vollkorn@0.4.1 && tar xzf expo-google-fonts-vollkorn-0.4.1.tgz
#   sh tools/subset_fonts.sh package static/fonts
#
# Kept: Latin with Turkish and Italian letters, the true minus and a few signs; lining and tabular figures, kerning.
set -eu
package=$1
target=$2
for weight in 500Medium 700Bold; do
    pyftsubset "$package/$weight/Vollkorn_$weight.ttf" \
        --unicodes="U+20-7E,U+A0-FF,U+11E,U+11F,U+130,U+131,U+15E,U+15F,U+2BC,U+2007,U+2009,U+202F,U+2013,U+2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2032,U+2033,U+2039,U+203A,U+20AC,U+2116,U+2190,U+2192,U+2212,U+2215,U+221E,U+2264,U+2265" \
        --layout-features="kern,mark,mkmk,liga,locl,tnum,lnum,case,ccmp" \
        --flavor=woff2 --no-hinting --desubroutinize --name-IDs="0,1,2,3,4,5,6,13,14" \
        --output-file="$target/vollkorn-$(printf %.3s "$weight").woff2"
done
