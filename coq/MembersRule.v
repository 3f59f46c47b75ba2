(** * MEMBERS: what follows from laws about elements, folds and sums

    Both sides are equal values; or one bag, of which each element is taken or mapped alike; or bags without repetitions that have the
    same elements. *)
From Tallystick Require Export Sums.

(** Why no element of a bag occurs twice. *)
Inductive once_by := Keyed | Injective (evidence : list use * tree) (mapped : once_by) | Selected (filtered : once_by).
Inductive member_step :=
  | Elements (ts : list ty) (b : term)
  | Induct (ts : list ty) (calls : list (nat * list term)) (invariant : term) (base step : list use * tree)
  | SumOver (ts : list ty) (how : sum_step).
Inductive conclusion :=
  | Values (evidence : list use * tree)
  | Elementwise (evidence : list use * tree)
  | SameElements (left right : once_by) (evidence evidence' : list use * tree).
Record members_proof := { definitions : list defined; steps : list member_step; concluded : conclusion }.

Section Rule.
  Variables (ds : list defined) (G : term) (fuel : nat).
  Hypothesis OK : definitions_ok ds = true.
  Hypothesis SG : scoped false [] G = true.
  Notation fine := (fine ds G).
  Notation lawful := (lawful ds G).

  Definition laws_of (ls : list law) (s : member_step) : list law := match s with
    | Elements ts b => decompose ds ts b
    | Induct ts calls inv base step => induction ds G fuel ls ts calls inv base step
    | SumOver ts how => sums ds G fuel ls ts how
    end.
  Fixpoint all_laws (ls : list law) (l : list member_step) : list law := match l with [] => ls | s :: l => all_laws (ls ++ laws_of ls s) l end.
  Lemma all_laws_ok l : forall ls, Forall lawful ls -> Forall lawful (all_laws ls l).
  Proof.
    induction l as [|s l IH]; cbn [all_laws]; auto. intros ls L. apply IH, Forall_app. split; auto. destruct s; cbn [laws_of].
    - now apply decompose_ok. - now apply induction_ok. - now apply sums_ok.
  Qed.

  Variable ls : list law.
  Hypothesis L : Forall lawful ls.
  Notation follows := (follows ds G fuel ls).
  Definition first (t : ty) := Var (Any 0) t.
  Definition second (t : ty) := Var (Any 1) t.
  Fixpoint once (o : once_by) (b : term) : bool := match o, b with
    | Keyed, Op Distinct [_] | Keyed, Op FoldByKey [_; _; _] => true
    | Selected o, Op Filter [_; c] => once o c
    | Injective ev o, Op Map [f; c] => once o c && match type c with
        | Some (TBag u) => let X := first u in let Y := second u in scoped false [] f && scoped false [] c &&
            follows (known_member ds [] u c X ++ known_member ds [] u c Y ++ [eq' (apply (Some X) None f) (apply (Some Y) None f)]) (eq' X Y) ev
        | _ => false end
    | _, _ => false
    end.
  Definition mapped_by (c Q : term) : option term := match Q with Op Map [g; c'] => if term_eqb c c' then Some g else None | _ => None end.
  Definition filtered_by (c Q : term) : option term := if term_eqb c Q then Some tt' else
    match Q with Op Filter [g; c'] => if term_eqb c c' then Some g else None | _ => None end.
  Lemma mapped_by_ok c Q g : mapped_by c Q = Some g -> Q = Op Map [g; c].
  Proof.
    unfold mapped_by. destruct Q as [| | | | | |p [|x [|y [|]]]]; try discriminate; destruct p; try discriminate. destruct (term_eqb c y) eqn:E; [|discriminate].
    intros [= <-]. apply term_eqb_eq in E. now subst.
  Qed.
  Lemma filtered_by_ok c Q g : filtered_by c Q = Some g -> Q = c /\ g = tt' \/ Q = Op Filter [g; c].
  Proof.
    unfold filtered_by. destruct (term_eqb c Q) eqn:E; [apply term_eqb_eq in E; intros [= <-]; auto|].
    destruct Q as [| | | | | |p [|x [|y [|]]]]; try discriminate; destruct p; try discriminate. destruct (term_eqb c y) eqn:E'; [|discriminate].
    intros [= <-]. apply term_eqb_eq in E'. subst. auto.
  Qed.
  Definition elementwise (P Q : term) (ev : list use * tree) : bool :=
    let agree f g c := match type c with
      | Some (TBag u) => let X := first u in scoped false [] f && scoped false [] g && scoped false [] c &&
          follows (known_member ds [] u c X) (eq' (apply (Some X) None f) (apply (Some X) None g)) ev
      | _ => false end in
    match P with
    | Op Map [f; c] => match mapped_by c Q with Some g => agree f g c | None => false end
    | Op Filter [f; c] => match filtered_by c Q with Some g => agree f g c | None => false end
    | _ => false
    end.
  Definition same_elements (P Q : term) (o o' : once_by) (ev ev' : list use * tree) : bool := match type P with
    | Some (TBag t) => let X := first t in match member ds [] t P, member ds [] t Q with
        | Some d, Some e => scoped false [] P && scoped false [] Q && is (type Q) (TBag t) && once o P && once o' Q &&
            follows [apply_to d [] [X]] (apply_to e [] [X]) ev && follows [apply_to e [] [X]] (apply_to d [] [X]) ev'
        | _, _ => false end
    | _ => false end.
  Definition concludes (P Q : term) (c : conclusion) : bool := match c with
    | Values ev => match type P with Some t => is (type Q) t && follows [] (eq' P Q) ev | None => false end
    | Elementwise ev => elementwise P Q ev
    | SameElements o o' ev ev' => same_elements P Q o o' ev ev'
    end.

  (** Inputs with values for the first parameters. *)
  Lemma with_values r us ws : fine r -> Forall2 has_type ws us -> let r' := beside_params r [] us ws in fine r' /\
    (forall t, scoped false [] t = true -> forall e a, eval r' e a t = eval r e a t) /\
    (forall i u, nth_error us i = Some u -> meaning r' (Var (Any i) u) = nth i ws nothing) /\
    (forall u b x h, scoped false [] b = true -> type x = Some u -> In (meaning r' x) (elements (meaning r b)) -> In h (known_member ds [] u b x) -> toB (meaning r' h) = true).
  Proof.
    intros F W r'. repeat split; try apply (beside_fine ds G OK SG r [] us ws F W).
    - intros t S. now apply (beside_same false r [] us ws t (fine_typed _ _ _ F) W).
    - intros i u U. unfold r', beside_params. unfold meaning; cbn [run app here params params_from map]. exact (bound_nth us ws r i u W U).
    - intros u b x h S X I H. unfold known_member in H. destruct (member ds [] u b) as [e|] eqn:M; [|destruct H]. destruct H as [<-|[]].
      exact (beside_member ds G OK SG r [] us ws u b e x F W S M X I).
  Qed.
  Lemma once_ok o : forall b, once o b = true -> forall t, type b = Some (TBag t) -> forall r, fine r -> NoDup (elements (meaning r b)).
  Proof.
    induction o as [|ev o IH|o IH]; intros b C t T r F; cbn [once] in C; destruct b as [| | | | | |p args]; try discriminate; destruct p; try discriminate;
      destruct args as [|f [|c [|z [|]]]]; try discriminate; unfold meaning; cbn [run in_order]; (eapply Permutation_NoDup; [symmetry; apply elements_bag|]).
    - apply dedup_nodup.
    - apply nodup_map_in; [apply dedup_nodup|]. intros x y _ _ E. now inversion E.
    - apply andb_true_iff in C as [C1 C2]. destruct (type c) as [[| | | | |u]|] eqn:TC; try discriminate. rewrite !andb_true_iff in C2. destruct C2 as [[SF SC] C2].
      unfold type in T. cbn [typeof] in T. change (typeof None None c) with (type c) in T. rewrite TC in T. whens.
      pose proof (fine_typed _ _ _ F) as R. pose proof (has_type_elements _ _ (typed_meaning r c _ R TC)) as EV. rewrite Forall_forall in EV.
      apply nodup_map_in; [exact (IH c C1 u TC r F)|]. intros x y X Y XY. fold (meaning r c) in X, Y.
      assert (W : Forall2 has_type [x; y] [u; u]) by (constructor; auto). destruct (with_values r [u; u] [x; y] F W) as (F' & EVAL & PAR & MEM).
      set (r' := beside_params r [] [u; u] [x; y]) in *. pose proof (fine_typed _ _ _ F') as R'.
      pose proof (PAR 0%nat u eq_refl) as PX. pose proof (PAR 1%nat u eq_refl) as PY. cbn [nth] in PX, PY. fold (first u) in PX. fold (second u) in PY.
      match goal with H : typeof (Some u) None f = Some ?k |- _ => rename H into TF; set (k0 := k) in * end.
      destruct (applied f u k0 (first u) r' nothing R' eq_refl TF) as [A1 A2]. destruct (applied f u k0 (second u) r' nothing R' eq_refl TF) as [B1 B2].
      pose proof (proj2 (follows_ok ds G OK SG fuel ls _ _ ev C2 L) r' F') as H. rewrite (proj2 (same_value (first u) (second u) u eq_refl eq_refl) r' R') in H.
      rewrite <- PX, <- PY. apply H. intros h Hh. apply in_app_iff in Hh as [Hh|Hh]; [|apply in_app_iff in Hh as [Hh|[<-|[]]]].
      + apply (MEM u c (first u) h SC eq_refl); auto. now rewrite PX.
      + apply (MEM u c (second u) h SC eq_refl); auto. now rewrite PY.
      + apply (proj2 (same_value _ _ k0 A1 B1) r' R'). rewrite A2, B2, PX, PY, !(EVAL f SF). exact XY.
    - apply NoDup_filter'. unfold type in T. cbn [typeof] in T. whens. now apply (IH c C t).
  Qed.
  Lemma agree_ok f g c u t ev : type c = Some (TBag u) -> typeof (Some u) None f = Some t -> typeof (Some u) None g = Some t ->
    scoped false [] f = true -> scoped false [] g = true -> scoped false [] c = true ->
    follows (known_member ds [] u c (first u)) (eq' (apply (Some (first u)) None f) (apply (Some (first u)) None g)) ev = true ->
    forall r x, fine r -> In x (elements (meaning r c)) -> eval r x nothing f = eval r x nothing g.
  Proof.
    intros TC TF TG SF SG' SC C r x F I. pose proof (fine_typed _ _ _ F) as R. pose proof (has_type_elements _ _ (typed_meaning r c _ R TC)) as EV. rewrite Forall_forall in EV.
    assert (W : Forall2 has_type [x] [u]) by auto. destruct (with_values r [u] [x] F W) as (F' & EVAL & PAR & MEM). set (r' := beside_params r [] [u] [x]) in *.
    pose proof (fine_typed _ _ _ F') as R'. pose proof (PAR 0%nat u eq_refl) as PX. cbn [nth] in PX. fold (first u) in PX.
    destruct (applied f u t (first u) r' nothing R' eq_refl TF) as [A1 A2]. destruct (applied g u t (first u) r' nothing R' eq_refl TG) as [B1 B2].
    pose proof (proj2 (follows_ok ds G OK SG fuel ls _ _ ev C L) r' F') as H. rewrite (proj2 (same_value _ _ t A1 B1) r' R'), A2, B2, PX, (EVAL f SF), (EVAL g SG') in H.
    apply H. intros h Hh. apply (MEM u c (first u) h SC eq_refl); auto. now rewrite PX.
  Qed.
  Theorem concludes_ok P Q c t : type P = Some t -> type Q = Some t -> concludes P Q c = true -> forall r, fine r -> meaning r P = meaning r Q.
  Proof.
    intros TP TQ C r F. pose proof (fine_typed _ _ _ F) as R. destruct c as [ev|ev|o o' ev ev']; cbn [concludes] in C.
    - rewrite TP in C. apply andb_true_iff in C as [_ C]. pose proof (proj2 (follows_ok ds G OK SG fuel ls _ _ ev C L) r F ltac:(intros h [])) as H.
      now apply (proj2 (same_value P Q t TP TQ) r R).
    - unfold elementwise in C. cbv zeta in C.
      assert (AG : forall f g c k u, (match type c with
        | Some (TBag u) => let X := first u in scoped false [] f && scoped false [] g && scoped false [] c &&
            follows (known_member ds [] u c X) (eq' (apply (Some X) None f) (apply (Some X) None g)) ev
        | _ => false end) = true -> typeof None None c = Some (TBag u) -> typeof (Some u) None f = Some k -> typeof (Some u) None g = Some k ->
          forall x, In x (elements (eval r nothing nothing c)) -> eval r x nothing f = eval r x nothing g).
      { intros f g c k u A TC TF TG x I. change (typeof None None c) with (type c) in TC. rewrite TC in A. cbv zeta in A. rewrite !andb_true_iff in A. destruct A as [[[A1 A2] A3] A4].
        exact (agree_ok f g c u k ev TC TF TG A1 A2 A3 A4 r x F I). }
      destruct P as [| | | | | |p args]; try discriminate. destruct p; try discriminate; destruct args as [|f [|c [|]]]; try discriminate; unfold type in TP; cbn [typeof] in TP; whens.
      + destruct (mapped_by c Q) as [g|] eqn:M; [|discriminate]. apply mapped_by_ok in M. subst Q. unfold type in TQ; cbn [typeof] in TQ. whens.
        repeat match goal with A : typeof None None c = Some (TBag ?u), B : typeof None None c = Some (TBag ?w) |- _ => lazymatch u with w => fail | _ => rewrite A in B; injection B as B; subst end end.
        unfold meaning. cbn [run in_order]. f_equal. apply map_ext_in. eapply AG; eauto.
      + destruct (filtered_by c Q) as [g|] eqn:M; [|discriminate]. apply filtered_by_ok in M as [[? ?]|?]; subst.
        * unfold meaning at 1. cbn [run in_order]. change (eval r nothing nothing c) with (meaning r c).
          rewrite (filter_ext_in _ (fun _ => true)); [|intros x I; erewrite (AG f tt' c); [reflexivity|exact C|eassumption|eassumption|reflexivity|exact I]].
          assert (FT : forall l : list val, filter (fun _ => true) l = l) by (induction l; cbn; congruence). rewrite FT. symmetry. eapply typed_bag, typed_meaning; eauto.
        * unfold type in TQ; cbn [typeof] in TQ. whens.
          repeat match goal with A : typeof None None c = Some (TBag ?u), B : typeof None None c = Some (TBag ?w) |- _ => lazymatch u with w => fail | _ => rewrite A in B; injection B as B; subst end end.
          unfold meaning. cbn [run in_order]. f_equal. apply filter_ext_in. intros x I. f_equal. eapply AG; eauto.
    - unfold same_elements in C. rewrite TP in C. destruct t as [| | | | |t]; try discriminate. cbv zeta in C.
      destruct (member ds [] t P) as [d|] eqn:MP; [|discriminate]. destruct (member ds [] t Q) as [e|] eqn:MQ; [|discriminate].
      rewrite !andb_true_iff in C. destruct C as ((((((SP & SQ) & _) & NP) & NQ) & C1) & C2).
      rewrite (typed_bag _ _ (typed_meaning r P _ R TP)), (typed_bag _ _ (typed_meaning r Q _ R TQ)). apply bag_same. apply NoDup_Permutation; [eapply once_ok; eauto|eapply once_ok; eauto|].
      intros x. assert (BOTH : forall A B a b ev, type A = Some (TBag t) -> scoped false [] A = true -> scoped false [] B = true -> member ds [] t A = Some a -> member ds [] t B = Some b ->
        follows [apply_to a [] [first t]] (apply_to b [] [first t]) ev = true -> In x (elements (meaning r A)) -> In x (elements (meaning r B))).
      { intros A B a b ev0 TA SA SB MA MB C I. pose proof (has_type_elements _ _ (typed_meaning r A _ R TA)) as EV. rewrite Forall_forall in EV.
        assert (W : Forall2 has_type [x] [t]) by auto. destruct (with_values r [t] [x] F W) as (F' & EVAL & PAR & _). set (r' := beside_params r [] [t] [x]) in *.
        pose proof (PAR 0%nat t eq_refl) as PX. cbn [nth] in PX. fold (first t) in PX.
        pose proof (proj2 (follows_ok ds G OK SG fuel ls _ _ ev0 C L) r' F') as H. rewrite (member_ok ds G OK r' [] t B b (first t) F' SB MB eq_refl), PX in H.
        unfold meaning in H at 2. rewrite (EVAL B SB) in H. apply H. intros h [<-|[]]. apply (member_ok ds G OK r' [] t A a (first t) F' SA MA eq_refl). rewrite PX.
        unfold meaning. now rewrite (EVAL A SA). }
      split; [exact (BOTH P Q d e ev TP SP SQ MP MQ C1)|exact (BOTH Q P e d ev' TQ SQ SP MQ MP C2)].
  Qed.
End Rule.

Definition members (fuel : nat) (G P Q : term) (m : members_proof) : bool :=
  let ds := definitions m in
  definitions_ok ds && scoped false [] G && scoped false [] P && scoped false [] Q &&
  concludes ds G fuel (all_laws ds G fuel [] (steps m)) P Q (concluded m).
Theorem members_ok fuel G P Q m : goal_ok G P Q = true -> members fuel G P Q m = true -> judged G P Q.
Proof.
  unfold goal_ok, members. rewrite !andb_true_iff. intros (_ & TQ) ((((OK & SG) & SP) & SQ) & C) r R HG.
  destruct (type P) as [t|] eqn:TP; [|discriminate]. apply is_eq in TQ. set (ds := definitions m) in *.
  assert (SAME : forall x, scoped false [] x = true -> meaning (extended ds r) x = meaning r x).
  { intros x S. apply (scoped_ext _ _ _ _ _ S). intros y u Y. destruct y; auto. discriminate. }
  assert (F : fine ds G (extended ds r)).
  { split; [now apply extended_typed|now apply extended_knows|]. now rewrite SAME. }
  rewrite <- (SAME P SP), <- (SAME Q SQ).
  exact (concludes_ok ds G fuel OK SG _ (all_laws_ok ds G fuel OK SG (steps m) [] (Forall_nil _)) P Q _ t TP TQ C _ F).
Qed.
