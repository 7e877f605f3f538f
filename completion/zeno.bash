# bash completion for zeno. Made by completion/generate from the help of the program; do not edit.
_zeno() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="run check info view plot export converge sweep modes solve cad import gallery reference help --help --version"
    elif [[ ${COMP_LINE:0:${COMP_POINT:-0}} =~ --scheme[=\ ]+[^\ ]*[:,]([^\ :,=]*)$ ]]; then
        # after NAME: or a comma an option; where bash itself takes the line apart at : it replaces what is behind
        local option=${BASH_REMATCH[1]} behind=$word
        [[ $COMP_WORDBREAKS != *:* ]] || behind=${word##*[:=]}
        words="theta forecast approach gamma beta metric coupled frozen_rows rho_inf neglect smooth position_friction characteristic_mass penalty_factor fine within ratio fine_implicit coarse_explicit newton_tolerance newton_iterations gap_tolerance solver solver_tolerance solver_measure linear_solver threads contact two_sided velocity_jump couple impact levels follow mass_scaling interface coarse column_memory"
        compopt -o nospace 2>/dev/null
        COMPREPLY=($(compgen -P "${behind%"$option"}" -S = -W "$words" -- "$option"))
        return
    elif [ "$before" = --scheme ]; then
        words="moreau_jean direct_projection combined_projection schatzman_paoli trapezoidal nsga nsga_coupled cd_lagrange newmark multirate energy_momentum"
    elif [ "$verb" = help ]; then
        words="run check info view plot export converge sweep modes solve cad import gallery reference help"
    elif [ "$verb" = gallery ] && [ "$COMP_CWORD" -eq 2 ] && [[ $word != -* ]]; then
        words="run"
    elif [ "$verb" = gallery ] && [[ $word != -* ]]; then
        words=$("${COMP_WORDS[0]}" gallery 2>/dev/null | sed -n 's/^  \([a-z0-9][a-z0-9-]*\)  .*/\1/p')
    elif [[ $word == -* ]]; then
        case $verb in
        run) words="--allow-path --checkpoint-every --dump-every --dump-problems --help --json --memory-limit --no-output --output --output-limit --quiet --restart --scheme --set --step --time-limit --until --view -o -q" ;;
        check) words="--allow-path --checkpoint-every --dump-every --dump-problems --help --json --memory-limit --no-output --output --output-limit --quiet --restart --scheme --set --step --time-limit --until --view -o -q" ;;
        info) words="--allow-path --events --help --json --scheme --set --step --until" ;;
        view) words="--allow-path --help --no-open --output --quiet -o -q" ;;
        plot) words="--help --logx --logy --output --panel --places --size --surface --title --window --x --xlabel --xrange --y --ylabel --yrange -o -x -y" ;;
        export) words="--allow-path --csv --help --output --vtu --xdmf -o" ;;
        converge) words="--allow-path --csv --exact-steps --help --jobs --json --norms --of --plot --reference --resume --schemes --set --steps --until --window -j" ;;
        sweep) words="--allow-path --csv --help --jobs --json --lhs --logy --measure --plot --report --resume --sample --schemes --seed --set --statistics --step --title --until --vary --ylabel -j" ;;
        modes) words="--allow-path --count --help --json --no-output --output --quiet --set --start --view -n -o -q" ;;
        solve) words="--all-solvers --effort --force --help --json --max-iterations --measure --solver --time-limit --tolerance --write" ;;
        cad) words="--deflection --density --extract --ground --help --timeout --triangulation" ;;
        import) words="--allow-path --density --free --help --hull --output --part --scale --set --timeout -o" ;;
        gallery) words="--allow-path --checkpoint-every --dump-every --dump-problems --help --json --memory-limit --no-output --output --output-limit --quiet --restart --scheme --set --slow --step --time-limit --until --verify --view -j -o -q" ;;
        reference) words="--help" ;;
        help) words="--help" ;;
        esac
    fi
    if [ -n "$words" ]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}
complete -F _zeno zeno
